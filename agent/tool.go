package agent

import (
	"context"
	"reflect"

	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/chat"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// oneArgument is a tool that takes one string. A model writes it as the only
// property of an object.
type oneArgument struct{ tools.Tool }

// Call takes the string out of the object. Where it cannot be told what the
// string was to be, the model is told, and the tool is not called.
func (t oneArgument) Call(ctx context.Context, arguments string) (string, error) {
	input, err := chat.Input(arguments)
	if err != nil {
		return "Error: " + err.Error(), nil
	}
	return t.Tool.Call(ctx, input)
}

// prepared returns a tool whose Call takes arguments as a model writes them.
func prepared(t tools.Tool) tools.Tool {
	if _, ok := t.(toolset.Definer); ok {
		return t
	}
	return oneArgument{t}
}

// isNil tells whether there is no tool, or a nil pointer as one.
func isNil(t tools.Tool) bool {
	if t == nil {
		return true
	}
	v := reflect.ValueOf(t)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
