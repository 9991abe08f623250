package main

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

const document = "../../docs/errors.md"

var update = flag.Bool("update", false, "write the texts of "+document+" anew")

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asChild {
		os.Exit(child(os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}

// block is the text of a section of the document: a heading, words, and what
// the program prints.
func block(title string) *regexp.Regexp {
	return regexp.MustCompile(`(?s)\n### ` + regexp.QuoteMeta(title) + "\n(?:[^#]*?)```text\n(.*?)```\n")
}

// changing is what differs from run to run.
var changing = regexp.MustCompile(`after [0-9.]+(µs|ms|s)|127\.0\.0\.1:[0-9]{2,}`)

func constant(text string) string { return changing.ReplaceAllString(text, "…") }

func TestTheDocumentHoldsTheRealTexts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system's part of the texts is that of Linux")
	}
	var out strings.Builder
	require.NoError(t, show(t.Context(), &out))
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	for _, f := range failures {
		got := printed(t, out.String(), f.title)
		at := block(f.title).FindSubmatchIndex(text)
		if !assert.NotNil(t, at, "%s has no section with a text block: %s", document, f.title) {
			continue
		}
		written := string(text[at[2]:at[3]])
		if *update && constant(written) != constant(got) {
			text = bytes.Join([][]byte{text[:at[2]], []byte(got), text[at[3]:]}, nil)
			continue
		}
		assert.Equal(t, constant(got), constant(written), "%s: %s (go test ./examples/failures -update writes it anew)", document, f.title)
	}
	assert.Equal(t, len(failures), bytes.Count(text, []byte("```text\n")), "each text block of %s is one of the program's failures", document)
	if *update {
		require.NoError(t, os.WriteFile(document, text, 0o644))
	}
}

// printed is what the program prints of a failure.
func printed(t *testing.T, output, title string) string {
	t.Helper()
	_, rest, found := strings.Cut("\n"+output, "\n"+title+"\n\n")
	require.True(t, found, title)
	text, _, found := strings.Cut(rest, "\n\n")
	require.True(t, found, title)
	return text + "\n"
}
