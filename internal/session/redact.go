package session

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// redact takes the values of the configured environment out of what a child
// writes. Paths stay: they are no secrets, and an error about a file is of no
// use without its name.
func (p *Pool) redact(text string) string { return httpx.Redact(text, p.environment()) }

// environment are the values of a child's that may be secret.
func (p *Pool) environment() []string {
	var secrets []string
	for _, value := range p.o.Config.Stdio.Env {
		if !filepath.IsAbs(value) && !strings.HasPrefix(value, ".") {
			secrets = append(secrets, value)
		}
	}
	return secrets
}

// withoutSecrets takes out of an error that the server wrote what was secret of
// the request.
func (l *live) withoutSecrets(headers http.Header, err error) error {
	if err == nil {
		return nil
	}
	var answer *wire.RPCError
	if !errors.As(err, &answer) {
		return err
	}
	secrets := append(httpx.HeaderSecrets(headers), l.secrets...)
	if l.http != nil {
		secrets = append(secrets, l.http.OriginSecrets()...)
	}
	answer.Redact(func(text string) string { return httpx.Redact(text, secrets) })
	return err
}
