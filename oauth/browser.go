package oauth

import (
	"context"
	"errors"
	"net/url"
	"os/exec"
	"runtime"
)

// OpenBrowser opens page in the user's browser. It does not wait for it. Only
// http and https are opened.
func OpenBrowser(ctx context.Context, page string) error {
	u, err := url.Parse(page)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("only http and https are opened in a browser")
	}
	name, args := "xdg-open", []string{u.String()}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", u.String()}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	cmd := exec.Command(name, args...) // the browser outlives ctx
	if err := cmd.Start(); err != nil {
		return errors.New("there is no " + name)
	}
	go func() { _ = cmd.Wait() }() // so that no zombie stays; the opener ends at once
	return nil
}
