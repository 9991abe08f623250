// Package page writes what a program found out into a Markdown page, between
// marks that stand there: <!-- NAME --> and <!-- end -->.
package page

import (
	"fmt"
	"os"
	"strings"
)

const end = "<!-- end -->"

// Write puts text between the marks of a name, in place of what stood there.
// It is an error when they are not there, and the page stays as it is.
func Write(path, name, text string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin := "<!-- " + name + " -->\n"
	before, rest, begun := strings.Cut(string(page), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		return fmt.Errorf("%s has no marks <!-- %s --> and %s to write between", path, name, end)
	}
	return os.WriteFile(path, []byte(before+begin+text+end+after), 0o644)
}
