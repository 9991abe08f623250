package wire

// Kind is the kind of a connection.
type Kind int

// The kinds of connections.
const (
	Stdio Kind = iota
	SSE
	StreamableHTTP
	InProcess
)

// String names the kind as a configuration does.
func (k Kind) String() string {
	switch k {
	case Stdio:
		return "stdio"
	case SSE:
		return "SSE"
	case StreamableHTTP:
		return "streamable HTTP"
	}
	return "in-process"
}

// deaf kinds do not watch a request's context or do not notice that the
// connection is lost while they wait for an answer.
func (k Kind) deaf() bool { return k == SSE || k == InProcess }

// web kinds go over HTTP, where headers mirror what a request says.
func (k Kind) web() bool { return k == SSE || k == StreamableHTTP }
