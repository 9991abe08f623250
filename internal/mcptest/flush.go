package mcptest

import (
	"context"
	"io"
	"net/http"
)

// flushes counts what an endpoint has written to its streams.
//
// mcp-go's streamable HTTP server loses a notification that its forwarder holds at
// the moment the tool returns; its stdio server may write it after the result. A tool that wants all of its notifications to
// arrive has to wait until they are written.
type flushes struct{ Journal[struct{}] }

type flushesKey struct{}

// count makes w report to f, and r's context lead to f.
func (f *flushes) count(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, *http.Request) {
	return &flushWriter{w, f}, r.WithContext(context.WithValue(r.Context(), flushesKey{}, f))
}

// mark tells how to wait for n more flushes. Where notifications do not go
// through an endpoint that counts, there is nothing to wait for.
func mark(ctx context.Context) (wait func(n int) error) {
	f, ok := ctx.Value(flushesKey{}).(*flushes)
	if !ok {
		return func(int) error { return nil }
	}
	before := f.Count()
	return func(n int) error {
		_, err := f.wait(before+n, nil, Patience)
		return err
	}
}

type flushWriter struct {
	http.ResponseWriter
	flushes *flushes
}

// Flush implements http.Flusher.
func (w *flushWriter) Flush() {
	_ = http.NewResponseController(w.ResponseWriter).Flush()
	w.flushes.Add(struct{}{})
}

// Unwrap is for http.ResponseController.
func (w *flushWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// countingWriter is a child's stdout, where each message is one write.
type countingWriter struct {
	to      io.Writer
	flushes *flushes
}

func (w countingWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.flushes.Add(struct{}{})
	return n, err
}
