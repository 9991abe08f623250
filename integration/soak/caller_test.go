//go:build unix

package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/mcptoolset/mcptoolset/headers"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// target is one kind of connection and what came of its calls.
type target struct {
	name     string
	set      *toolset.Toolset
	nameless bool // the server cannot know who calls

	mu       sync.Mutex
	charges  map[string]outcome
	calls    int
	worst    time.Duration
	outcomes [5]int
	faults   []string
}

// outcome is what a caller knows of a call of his.
type outcome int

const (
	answered  outcome = iota
	refused           // an error that says nothing happened
	unknown           // an error that does not know
	cancelled         // he left
	lost              // neither a result nor an error that a caller can use
)

// call makes one call and judges its answer.
func (to *target) call(user, key string, random *rand.Rand) {
	ctx := headers.NewContext(context.Background(), http.Header{userHeader: {user}})
	if random.IntN(10) == 0 {
		limited, cancel := context.WithTimeout(ctx, time.Duration(random.IntN(50))*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	tool := []string{"charge", "charge", "whoami", "big"}[random.IntN(4)]
	began := time.Now()
	text, err := to.run(ctx, tool, key)
	to.keep(tool, user, key, text, err, time.Since(began))
}

func (to *target) run(ctx context.Context, name, key string) (string, error) {
	tool, err := to.set.Tool(ctx, name)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "Error: before the call: " + err.Error(), nil
	}
	return tool.Call(ctx, `{"key":"`+key+`"}`)
}

func (to *target) keep(tool, user, key, text string, err error, took time.Duration) {
	to.mu.Lock()
	defer to.mu.Unlock()
	to.calls++
	to.worst = max(to.worst, took)
	result := classify(text, err)
	to.outcomes[result]++
	if tool == "charge" {
		to.charges[key] = result
	}
	switch {
	case result == lost:
		to.fault("%s %s: %.200q, %v", tool, key, text, err)
	case result == answered && tool == "big":
		if strings.Trim(text, key+" ") != "" || !strings.HasPrefix(text, key) {
			to.fault("big %s got %.100q", key, text)
		}
	case result == answered:
		to.check(tool, user, key, text)
	}
}

func (to *target) check(tool, user, key, text string) {
	var got receipt
	if to.nameless {
		user = ""
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || got != (receipt{key, user}) {
		to.fault("%s of %s with %s got %.200q", tool, user, key, text)
	}
}

func (to *target) fault(format string, a ...any) {
	if len(to.faults) < 20 {
		to.faults = append(to.faults, fmt.Sprintf(format, a...))
	}
}

func classify(text string, err error) outcome {
	switch {
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return cancelled
	case err != nil || text == "":
		return lost
	case !strings.HasPrefix(text, "Error:"):
		return answered
	case strings.Contains(text, "Whether the tool ran is unknown"):
		return unknown
	}
	return refused
}
