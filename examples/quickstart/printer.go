package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// printer writes the conversation as it happens. It is the callbacks handler
// of the toolset.
type printer struct {
	callbacks.SimpleHandler
	out   io.Writer
	calls int
}

func (p *printer) begin(info toolset.ServerInfo, found []tools.Tool, report toolset.Report, model, question string) {
	fmt.Fprintf(p.out, "Server    %s %s, protocol %s\n", info.Name, info.Version, info.ProtocolVersion)
	fmt.Fprintf(p.out, "Tools     %d\n", len(found))
	for _, t := range found {
		fmt.Fprintf(p.out, "          %s: %s\n", t.Name(), head(t.Description()))
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(p.out, "Warning   %s\n", w)
	}
	fmt.Fprintf(p.out, "Model     %s\n", model)
	fmt.Fprintf(p.out, "\nQuestion  %s\n", question)
}

// HandleToolStart prints a call.
func (p *printer) HandleToolStart(ctx context.Context, input string) {
	p.calls++
	call, _ := toolset.CallFromContext(ctx)
	fmt.Fprintf(p.out, "\nCall %-4d %s %s\n", p.calls, call.Tool, input)
}

// HandleToolEnd prints an observation.
func (p *printer) HandleToolEnd(_ context.Context, output string) { p.observe(output) }

// HandleToolError prints why a call failed.
func (p *printer) HandleToolError(_ context.Context, err error) { p.observe("failed: " + err.Error()) }

func (p *printer) observe(text string) {
	fmt.Fprintf(p.out, "Observed  %s\n", strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n          "))
}

func (p *printer) answer(text string) {
	fmt.Fprintf(p.out, "\nAnswer    %s\n", strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n          "))
}

// head is the beginning of a long line.
func head(line string) string {
	const limit = 110
	if runes := []rune(line); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return line
}
