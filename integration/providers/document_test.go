package providers

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// tested are the providers that the tests go through. What is noted of each is
// what its tests demand.
var tested = []provider{openAI, ollama, claude, bedrockAWS, google, vertexAI, mistralAI}

func TestC6_TheDocumentSaysWhatIsTested(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/providers.md")
	require.NoError(t, err)
	for _, p := range tested {
		assert.Contains(t, string(document), "\n"+p.row()+"\n")
	}
}

// row is the provider's in the document's table.
func (p provider) row() string {
	agent, streaming, loop, image, digits := "yes", "yes", "yes", "`ImageBinary`", "rounded"
	switch {
	case p.late:
		streaming, loop = "text comes at the end", "yes; streaming only with `Bind`"
	case !p.ids:
		loop = "yes, `Respond` with `WithModel`"
	}
	if p.image == toolset.ImageDataURL {
		image = "`ImageDataURL`"
	}
	if p.digits {
		digits = "exact"
	}
	if p.unfinished {
		agent, streaming, loop, image = "the first step only", "the first step only", "the first step only", "none"
	}
	return fmt.Sprintf("| %s | `%s` | %s | %s | %s | %s | %s |", p.name, p.profile, agent, streaming, loop, image, digits)
}
