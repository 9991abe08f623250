package stdio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// encodeRequest is the line of a request. Params that are raw JSON go out as
// they are, every digit and every character of theirs.
func encodeRequest(id int64, method string, params any) ([]byte, error) {
	raw, err := encodeParams(params)
	if err != nil {
		return nil, fmt.Errorf("the params of %s: %w", method, err)
	}
	name, err := json.Marshal(method)
	if err != nil {
		return nil, err
	}
	line := make([]byte, 0, len(raw)+len(name)+64)
	line = append(line, `{"jsonrpc":"2.0","id":`...)
	line = strconv.AppendInt(line, id, 10)
	line = append(line, `,"method":`...)
	line = append(line, name...)
	if raw != nil {
		line = append(line, `,"params":`...)
		line = append(line, raw...)
	}
	return append(line, "}\n"...), nil
}

func encodeParams(params any) (json.RawMessage, error) {
	raw, ok := params.(json.RawMessage)
	switch {
	case params == nil, ok && len(raw) == 0:
		return nil, nil
	case !ok:
		return json.Marshal(params)
	}
	return oneLine(raw)
}

// oneLine is raw without line ends, of which JSON has none but as white space.
// It is an error when raw is no JSON: the server could not tell whose it was.
func oneLine(raw json.RawMessage) (json.RawMessage, error) {
	r := rawjson.NewReader(raw)
	r.Value()
	if err := r.End(); err != nil {
		return nil, err
	}
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 && raw[0] != 0xEF {
		return raw, nil
	}
	var line bytes.Buffer
	if err := json.Compact(&line, bytes.TrimPrefix(raw, byteOrderMark)); err != nil {
		return nil, err
	}
	return line.Bytes(), nil
}

func encodeNotification(n mcp.JSONRPCNotification) ([]byte, error) {
	line, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	return append(line, '\n'), nil
}

// encodeAnswer is the line that answers a request of the server. The id goes
// back byte by byte.
func encodeAnswer(id []byte, member string, value any) []byte {
	raw, err := json.Marshal(value)
	if err != nil {
		details := mcp.NewJSONRPCErrorDetails(mcp.INTERNAL_ERROR, "the answer cannot be written as JSON", nil)
		member = "error"
		raw, _ = json.Marshal(details) // of plain words
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,%q:%s}`+"\n", id, member, raw)
}
