package agent

import (
	"context"
	"reflect"
	"strings"

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

// callable are the tools that an Executor can call, each ready for arguments
// as a model writes them.
func callable(ts []tools.Tool) []tools.Tool {
	last := map[string]int{}
	for i, t := range ts {
		if !isNil(t) {
			last[key(t)] = i
		}
	}
	kept := make([]tools.Tool, 0, len(last))
	for i, t := range ts {
		if !isNil(t) && last[key(t)] == i {
			kept = append(kept, prepared(t))
		}
	}
	return kept
}

// namesakes are the tools of which an Executor can call only one, since they
// have one key.
func namesakes(ts []tools.Tool) []tools.Tool {
	count := map[string]int{}
	for _, t := range ts {
		if !isNil(t) {
			count[key(t)]++
		}
	}
	var same []tools.Tool
	for _, t := range ts {
		if !isNil(t) && count[key(t)] > 1 {
			same = append(same, t)
		}
	}
	return same
}

// key is what an Executor finds a tool by.
func key(t tools.Tool) string { return strings.ToUpper(t.Name()) }

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
