package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestO84_AnErrorIsRedactedInAllItsTexts(t *testing.T) {
	t.Parallel()
	for code, known := range map[int]error{mcp.INVALID_PARAMS: mcp.ErrInvalidParams, mcp.HEADER_MISMATCH: nil, -32001: nil} {
		var data any
		require.NoError(t, json.Unmarshal([]byte(`{"tok-123":["tok-123",{"a":"x tok-123 y"}],"n":9.5,"b":true,"z":null}`), &data))
		answer := rpcError(&mcp.JSONRPCErrorDetails{Code: code, Message: "bad tok-123", Data: data})
		answer.Redact(func(text string) string { return strings.ReplaceAll(text, "tok-123", "…") })

		assert.Equal(t, "bad …", answer.Message)
		shown, err := json.Marshal(answer.Data)
		require.NoError(t, err)
		assert.JSONEq(t, `{"…":["…",{"a":"x … y"}],"n":9.5,"b":true,"z":null}`, string(shown))
		for wrapped := error(answer); wrapped != nil; wrapped = errors.Unwrap(wrapped) {
			assert.NotContains(t, fmt.Sprintf("%v %+v %#v", wrapped, wrapped, wrapped), "tok-123")
		}
		if known != nil {
			assert.ErrorIs(t, answer, known)
		}
	}
}
