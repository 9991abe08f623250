package kit

import "encoding/json"

// op is one line from the rig.
type op struct {
	Op         string  `json:"op"` // new, tools, call, agent, close, show, leaks
	ID         string  `json:"id"`
	Async      bool    `json:"async"`
	Config     Config  `json:"config"`
	DeadlineMS int     `json:"deadline_ms"`
	CancelMS   int     `json:"cancel_ms"` // the caller cancels after this time
	User       string  `json:"user"`
	Token      string  `json:"token"`
	Refresh    bool    `json:"refresh"` // tools: drop what is cached first
	Tool       string  `json:"tool"`    // call
	Input      string  `json:"input"`   // call; %N% becomes the number of the call
	N          int     `json:"n"`       // call: so many times at once
	Script     []reply `json:"script"`  // agent
}

// reply is what the agent's model says in one turn.
type reply struct {
	Text  string `json:"text"`
	Calls []struct {
		Name  string `json:"name"`
		Input string `json:"input"`
	} `json:"calls"`
}

// answer is one line to the rig.
type answer struct {
	ID           string     `json:"id,omitempty"`
	OK           bool       `json:"ok"`
	Unsupported  string     `json:"unsupported,omitempty"`
	Text         string     `json:"text"`
	Err          string     `json:"err,omitempty"`
	Is           []string   `json:"is,omitempty"`
	MS           int64      `json:"ms"`
	Tools        []toolInfo `json:"tools,omitempty"`
	Report       []string   `json:"report,omitempty"`
	Panic        string     `json:"panic,omitempty"`
	Observations []string   `json:"observations,omitempty"`
	Goroutines   int        `json:"goroutines,omitempty"`
	Base         int        `json:"base,omitempty"`
	Children     []string   `json:"children,omitempty"`
	Texts        []string   `json:"texts,omitempty"`
	Errs         []string   `json:"errs,omitempty"`
}

type toolInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  any    `json:"parameters"`
}

// encode gives the line of an answer; one that cannot be encoded says so.
func (a answer) encode() []byte {
	b, err := json.Marshal(a)
	if err != nil {
		b, _ = json.Marshal(answer{ID: a.ID, Err: "answer cannot be encoded: " + err.Error()})
	}
	return append(b, '\n')
}
