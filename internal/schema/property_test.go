package schema_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

func TestC5_AnySchemaFitsEveryProfile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := json.RawMessage(mustJSON(wild().Draw(t, "schema")))
		for _, p := range schema.Profiles() {
			checkConversion(t, p, raw, "generated")
		}
		checkSignature(t, raw, rapid.IntRange(1, 300).Draw(t, "max"))
	})
}

// checkSignature holds for every schema: one line of valid text that is no
// longer than asked for, the same each time.
func checkSignature(t require.TestingT, raw json.RawMessage, max int) {
	line := schema.Signature(raw, max)
	require.LessOrEqual(t, utf8.RuneCountInString(line), max, "%.500s", raw)
	require.True(t, utf8.ValidString(line))
	require.NotContains(t, line, "\n")
	require.NotEmpty(t, line)
	require.Equal(t, line, schema.Signature(raw, max))
}
