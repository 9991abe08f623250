package stdio

// Writer takes messages for the child. Its methods must be safe for concurrent
// use and never wait for the child.
type Writer interface {
	// WriteFrame queues a copy of a message, its line feed included. An error
	// that is proc.ErrStdinFull may pass; any other is the end of writing.
	WriteFrame(message []byte) (Frame, error)
	// Done is closed when nothing more will be written; then it is settled of
	// every frame whether it was.
	Done() <-chan struct{}
	// Close accepts no more frames.
	Close() error
}

// Frame is one message on its way.
type Frame interface {
	// Withdraw takes the message back and reports whether no byte of it was
	// written and none will be.
	Withdraw() bool
	// Written reports whether all of it was written.
	Written() bool
}
