package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Resource is one resource as the server lists it (MCP, server/resources).
type Resource struct {
	// URI is what it is read by.
	URI string
	// Name is the server's name of it, which need not be unique; Title is one
	// for people. They and the others are empty where the server sent none.
	Name, Title, Description, MIMEType string
	// Size is how many bytes it has, as the server says; nil where it does not.
	Size *int64
	// Meta is the _meta member, Raw the whole item, as sent; Meta is nil where
	// there is none.
	Meta, Raw json.RawMessage
}

// ResourceTemplate stands for many resources (MCP, server/resources, "Resource
// templates").
type ResourceTemplate struct {
	// URITemplate is a URI with variables in braces (RFC 6570).
	URITemplate string
	// Name is the server's name of it, which need not be unique; Title is one
	// for people. They and the others are empty where the server sent none.
	Name, Title, Description, MIMEType string
	// Meta is the _meta member, Raw the whole item, as sent; Meta is nil where
	// there is none.
	Meta, Raw json.RawMessage
}

// ResourceContents is what a resource holds, or one part of it.
type ResourceContents struct {
	// URI is that of the part, which may differ from the one that was asked
	// for; empty where the server sent none.
	URI, MIMEType string
	// Text is the text where IsText is set.
	Text   string
	IsText bool
	// Blob are the bytes of a binary part, decoded; nil where there are none
	// and where they cannot be decoded.
	Blob []byte
	// Fault says why the part could not be read as it should be; empty if it
	// was.
	Fault string
	// Meta is the _meta member, Raw the whole part, as sent; Meta is nil where
	// there is none.
	Meta, Raw json.RawMessage
}

var resourceLists = listKind[Resource]{
	method: mcp.MethodResourcesList, key: "resources", noun: "resource",
	declared: func(c mcp.ServerCapabilities) bool { return c.Resources != nil },
	read: func(raw json.RawMessage) (Resource, string, []string, error) {
		r, err := decode.ResourceOf(raw)
		return Resource{
			URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
			Size: r.Size, Meta: r.Meta, Raw: r.Raw,
		}, r.URI, nil, err
	},
}

var templateLists = listKind[ResourceTemplate]{
	method: mcp.MethodResourcesTemplatesList, key: "resourceTemplates", noun: "resource template",
	declared: func(c mcp.ServerCapabilities) bool { return c.Resources != nil },
	read: func(raw json.RawMessage) (ResourceTemplate, string, []string, error) {
		t, err := decode.TemplateOf(raw)
		return ResourceTemplate{
			URITemplate: t.URITemplate, Name: t.Name, Title: t.Title, Description: t.Description, MIMEType: t.MIMEType,
			Meta: t.Meta, Raw: t.Raw,
		}, t.URITemplate, nil, err
	},
}

// Resources connects where needed and returns the server's resources in its
// order, those of every page within the limits of lists. It does not depend on
// Config.Resources, which is about tools for a model. A server without
// resources has none, which is no error; an item that cannot be used is left
// out, and an incomplete list is returned as far as it goes: the [Report] says
// so. The list is cached as that of [Toolset.Tools] is. The error is an
// [*Error].
func (ts *Toolset) Resources(ctx context.Context) ([]Resource, error) {
	shared, err := listOf(ctx, ts, resourceLists)
	all := slices.Clone(shared)
	for i := range all {
		r := &all[i]
		r.Meta, r.Raw = slices.Clone(r.Meta), slices.Clone(r.Raw)
		if r.Size != nil {
			size := *r.Size
			r.Size = &size
		}
	}
	return all, err
}

// ResourceTemplates is [Toolset.Resources] for the server's resource templates.
func (ts *Toolset) ResourceTemplates(ctx context.Context) ([]ResourceTemplate, error) {
	shared, err := listOf(ctx, ts, templateLists)
	all := slices.Clone(shared)
	for i := range all {
		t := &all[i]
		t.Meta, t.Raw = slices.Clone(t.Meta), slices.Clone(t.Raw)
	}
	return all, err
}

// ErrContents is the cause when a resource was read, but parts of it are
// broken, such as base64 that cannot be decoded.
var ErrContents = errors.New("the resource's contents are broken")

// ReadResource reads a resource by its URI, listed or not, within the call
// limit: the server decides whether it has it. A resource with an empty list of
// contents is no error.
//
// The error is an [*Error]. Where it wraps [ErrContents], the contents are
// returned beside it: those that are broken have a Fault, the others are as
// good as without it. It wraps [ErrInputRequired] where the server asks for
// input first (MCP 2026-07-28).
func (ts *Toolset) ReadResource(ctx context.Context, uri string) ([]ResourceContents, error) {
	began := time.Now()
	raw, err := ts.readResource(ctx, uri)
	if err != nil {
		return nil, ts.fault(StageRead, "", began, fmt.Errorf("resource %q: %w", uri, err))
	}
	all, err := contentsOf(raw)
	if err != nil {
		return all, ts.fault(StageRead, "", began, fmt.Errorf("resource %q: %w", uri, err))
	}
	return all, nil
}

func (ts *Toolset) readResource(ctx context.Context, uri string) (json.RawMessage, error) {
	if uri == "" {
		return nil, errors.New("the URI is empty")
	}
	op, err := ts.begin(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := ts.recallRaw(ctx, op, mcp.MethodResourcesRead, "uri", uri)
	return slices.Clone(raw), known(mcp.MethodResourcesRead, err)
}

// request sends a request without effects, within the call limit.
func (ts *Toolset) request(ctx context.Context, op *session.Operation, method mcp.MCPMethod, params map[string]any) (json.RawMessage, error) {
	encoded, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	ctx, done := wire.Limit(ctx, "call", ts.cfg.CallTimeout)
	defer done()
	raw, err := ts.read(ctx, op, method, encoded)
	return raw, known(method, wire.Cause(ctx, err))
}

// known names the method that a server does not know.
func known(method mcp.MCPMethod, err error) error {
	if errors.Is(err, mcp.ErrMethodNotFound) {
		return fmt.Errorf("the server does not know %s: %w", method, err)
	}
	return err
}

// contentsOf reads the answer to a read.
func contentsOf(raw json.RawMessage) ([]ResourceContents, error) {
	if err := answered(raw, "resource"); err != nil {
		return nil, err
	}
	parts, err := decode.ReadOf(raw)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 && !holds(raw, "contents") {
		return nil, fmt.Errorf("%w: the answer has none", ErrContents)
	}
	var all []ResourceContents
	var faults []string
	for i, from := range parts {
		part := ResourceContents{
			URI: from.URI, MIMEType: from.MIMEType, Text: from.Text, IsText: from.HasText,
			Fault: from.Fault, Meta: from.Meta, Raw: from.Raw,
		}
		if from.HasBlob {
			if part.Blob, err = decode.Binary(from.Blob); err != nil {
				part.Fault = err.Error()
			}
		}
		if part.Fault != "" {
			faults = append(faults, fmt.Sprintf("part %d: %s", i, part.Fault))
		}
		all = append(all, part)
	}
	if n := len(faults) - maxNamed; n > 0 {
		faults = append(faults[:maxNamed], fmt.Sprintf("%d more parts", n))
	}
	if len(faults) > 0 {
		return all, fmt.Errorf("%w: %s", ErrContents, strings.Join(faults, "; "))
	}
	return all, nil
}

// holds reports whether an answer has a member.
func holds(raw json.RawMessage, member string) bool {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members) // what is no object holds nothing
	_, there := members[member]
	return there
}

// answered refuses a question in place of an answer (MCP 2026-07-28,
// multi round-trip requests). Whatever else is wrong is left to the reader.
func answered(raw json.RawMessage, noun string) error {
	if hints, err := decode.HintsOf(raw); err == nil && hints.ResultType == decode.ResultInputRequired {
		return questionError(noun)
	}
	return nil
}

// questionError says that a server asks before it gives what it names.
type questionError string

// Error names what was asked for.
func (e questionError) Error() string {
	return fmt.Sprintf("the server asks for further input before it gives the %s, which this client cannot give", string(e))
}

// Is makes it an ErrInputRequired.
func (questionError) Is(target error) bool { return target == ErrInputRequired }
