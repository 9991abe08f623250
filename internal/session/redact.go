package session

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// redact takes the values of the configured environment out of what a child
// writes. Paths stay: they are no secrets, and an error about a file is of no
// use without its name.
func (p *Pool) redact(text string) string {
	var secrets []string
	for _, value := range p.o.Config.Stdio.Env {
		if !filepath.IsAbs(value) && !strings.HasPrefix(value, ".") {
			secrets = append(secrets, value)
		}
	}
	return httpx.Redact(text, secrets)
}

// withoutSecrets takes the headers of an operation out of an error that the
// server wrote.
func (o *Operation) withoutSecrets(err error) error {
	var answer *wire.RPCError
	if errors.As(err, &answer) {
		answer.Message = httpx.Redact(answer.Message, httpx.HeaderSecrets(o.headers))
	}
	return err
}
