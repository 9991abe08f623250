package documents_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/schema"
	"github.com/tmc/langchaingo/textsplitter"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/documents"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// loader is LangChainGo's documentloaders.Loader, whose package would bring
// parsers of every kind of file into this module. A nested module holds Loader
// to the interface itself.
type loader interface {
	Load(ctx context.Context) ([]schema.Document, error)
	LoadAndSplit(ctx context.Context, splitter textsplitter.TextSplitter) ([]schema.Document, error)
}

var _ loader = (*documents.Loader)(nil)

func newLoader(t *testing.T, ts *toolset.Toolset, opts ...documents.Option) *documents.Loader {
	t.Helper()
	l, err := documents.New(ts, opts...)
	require.NoError(t, err)
	return l
}

func TestH6_H7_ResourcesBecomeDocuments(t *testing.T) {
	t.Parallel()
	for _, kind := range mcptest.Kinds {
		for _, era := range []string{"modern", "legacy"} {
			t.Run(fmt.Sprint(kind, " ", era), func(t *testing.T) {
				t.Parallel()
				opts := []mcptest.Option{mcptest.Setup("library"), mcptest.Paged(3)}
				if era == "legacy" {
					opts = append(opts, mcptest.Legacy())
				}
				l := newLoader(t, open(t, configOf(mcptest.Start(t, kind, opts...))))

				result, err := l.Read(t.Context())
				require.NoError(t, err)
				assert.Equal(t, []schema.Document{
					{PageContent: "# Größe\n\n{{.x}} {% y %}\n", Metadata: map[string]any{"uri": "file:///docs/a.md", "name": "a.md", "title": "The first", "mimeType": "text/markdown; charset=utf-8", "server": "library"}},
					{PageContent: "second", Metadata: map[string]any{"uri": "file:///docs/deep/b.txt", "name": "b.txt", "mimeType": "TEXT/plain", "server": "library"}},
					{PageContent: `{"id":9007199254740993}`, Metadata: map[string]any{"uri": "note://json", "name": "json", "mimeType": "application/json", "server": "library"}},
					{PageContent: "one", Metadata: map[string]any{"uri": "note://several/1", "resource": "note://several", "name": "several", "mimeType": "text/plain", "server": "library", "index": 0}},
					{PageContent: "three", Metadata: map[string]any{"uri": "note://several", "name": "several", "server": "library", "index": 2}},
					{PageContent: "nobody says what this is", Metadata: map[string]any{"uri": "note://typeless", "name": "typeless", "server": "library"}},
				}, result.Documents, "in the order of the server's list, which mcp-go sorts by name or URI")

				require.Len(t, result.Skipped, 4)
				byURI := map[string]documents.Skipped{}
				for _, s := range result.Skipped {
					byURI[s.URI] = s
				}
				failed := byURI["file:///docs/broken.txt"]
				assert.Equal(t, documents.Failed, failed.Reason)
				assert.ErrorContains(t, failed.Err, "the disk is on fire")
				var fault *toolset.Error
				assert.ErrorAs(t, failed.Err, &fault)
				size := int64(len(picture))
				assert.Equal(t, documents.Skipped{URI: "file:///docs/c.png", Name: "c.png", Index: 0, Reason: documents.Binary, MIMEType: "image/png", Size: size}, byURI["file:///docs/c.png"])
				assert.Equal(t, documents.Skipped{URI: "note://several", Name: "several", Index: 1, Reason: documents.Binary, MIMEType: "image/png", Size: size}, byURI["note://several"])
				assert.Equal(t, documents.Skipped{URI: "note://blank", Name: "blank", Index: 0, Reason: documents.Empty}, byURI["note://blank"])

				docs, err := l.Load(t.Context())
				require.NoError(t, err, "what was left out is no error")
				assert.Equal(t, result.Documents, docs)
				for _, text := range texts(docs) {
					assert.NotContains(t, text, base64.StdEncoding.EncodeToString(picture)[:12], "base64 is nothing for an index")
				}
			})
		}
	}
}

func TestH6_WhatIsChosen(t *testing.T) {
	t.Parallel()
	const a, b, several, typeless, object = "a.md", "b.txt", "several", "typeless", "json"
	for name, c := range map[string]struct {
		opts []documents.Option
		want []string // the names, in order
	}{
		"everything":                 {nil, []string{a, b, object, several, several, typeless}},
		"a nil option":               {[]documents.Option{nil}, []string{a, b, object, several, several, typeless}},
		"a folder, deep":             {[]documents.Option{documents.WithURIPatterns("file:///docs/*")}, []string{a, b}},
		"patterns add up":            {[]documents.Option{documents.WithURIPatterns("*.md"), documents.WithURIPatterns("note://js?n")}, []string{a, object}},
		"a pattern of nothing":       {[]documents.Option{documents.WithURIPatterns("https://*")}, []string{}},
		"no patterns":                {[]documents.Option{documents.WithURIPatterns()}, []string{}},
		"no patterns, but a URI":     {[]documents.Option{documents.WithURIPatterns(), documents.WithURIs("note://json")}, []string{""}},
		"types":                      {[]documents.Option{documents.WithMIMETypes("text/*")}, []string{a, b, several, several, typeless}},
		"a type with parameters":     {[]documents.Option{documents.WithMIMETypes("Text/Markdown; charset=latin1")}, []string{a}},
		"types add up":               {[]documents.Option{documents.WithMIMETypes("text/markdown"), documents.WithMIMETypes("application/*")}, []string{a, object}},
		"no types":                   {[]documents.Option{documents.WithMIMETypes()}, []string{}},
		"both":                       {[]documents.Option{documents.WithMIMETypes("text/*"), documents.WithURIPatterns("note://*")}, []string{several, several, typeless}},
		"a URI goes before choices":  {[]documents.Option{documents.WithMIMETypes("text/markdown"), documents.WithURIs("note://json", "note://json")}, []string{a, object}},
		"a listed URI is read once":  {[]documents.Option{documents.WithURIs("note://json")}, []string{a, b, object, several, several, typeless}},
		"at most so many":            {[]documents.Option{documents.WithURIPatterns("*.md", "note://[jt]*"), documents.WithMaxResources(2)}, []string{a, object}},
		"not over a size":            {[]documents.Option{documents.WithURIPatterns("note://*"), documents.WithMaxSize(8)}, []string{several, several}},
		"the size of all contents":   {[]documents.Option{documents.WithURIPatterns("note://*"), documents.WithMaxSize(7)}, []string{}},
		"what is as large as it may": {[]documents.Option{documents.WithURIPatterns("note://*"), documents.WithMaxSize(23)}, []string{object, several, several}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			docs, err := newLoader(t, inProcess(t, library), c.opts...).Load(t.Context())
			require.NoError(t, err)
			names := []string{}
			for _, d := range docs {
				name, _ := d.Metadata[documents.KeyName].(string)
				names = append(names, name)
			}
			assert.Equal(t, c.want, names)
		})
	}
}

func TestH6_AURIOfATemplateIsRead(t *testing.T) {
	t.Parallel()
	ts := inProcess(t, func(s *server.MCPServer) {
		add(s, mcp.NewResource("note://listed", "listed"), "listed")
		s.AddResourceTemplate(mcp.NewResourceTemplate("user://{id}", "user"),
			func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, Text: "user " + path.Base(r.Params.URI)}}, nil
			})
	})
	docs, err := newLoader(t, ts, documents.WithURIs("user://7", "user://3")).Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"listed", "user 7", "user 3"}, texts(docs), "behind what is listed, in the order given")
	assert.Equal(t, map[string]any{"uri": "user://7", "server": "library"}, docs[1].Metadata)
}

func TestH6_WhatIsTooLargeByTheListIsNotRead(t *testing.T) {
	t.Parallel()
	var reads atomic.Int32
	ts := inProcess(t, func(s *server.MCPServer) {
		for i, size := range []int64{math.MaxInt64, 11, 10, 0} {
			uri := fmt.Sprintf("note://%d", i)
			s.AddResource(mcp.NewResource(uri, uri, mcp.WithResourceSize(size)),
				func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
					reads.Add(1)
					return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, Text: strings.Repeat("x", 10+i/3)}}, nil
				})
		}
	})
	result, err := newLoader(t, ts, documents.WithMaxSize(10)).Read(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"xxxxxxxxxx"}, texts(result.Documents))
	assert.Equal(t, []documents.Skipped{
		{URI: "note://0", Name: "note://0", Index: documents.Whole, Reason: documents.TooLarge, Size: math.MaxInt64},
		{URI: "note://1", Name: "note://1", Index: documents.Whole, Reason: documents.TooLarge, Size: 11},
		{URI: "note://3", Name: "note://3", Index: documents.Whole, Reason: documents.TooLarge, Size: 11},
	}, result.Skipped, "a list that lies is found out")
	assert.EqualValues(t, 2, reads.Load())
}

func TestH6_WhatIsSurplusIsTold(t *testing.T) {
	t.Parallel()
	ts := inProcess(t, func(s *server.MCPServer) {
		for i := range 5 {
			add(s, mcp.NewResource(fmt.Sprint("note://", i), fmt.Sprint(i)), "text")
		}
	})
	result, err := newLoader(t, ts, documents.WithMaxResources(3), documents.WithStrict()).Read(t.Context())
	require.NoError(t, err, "a limit is no failure")
	assert.Len(t, result.Documents, 3)
	require.Len(t, result.Skipped, 2)
	assert.Equal(t, documents.Skipped{URI: "note://3", Name: "3", Index: documents.Whole, Reason: documents.Surplus}, result.Skipped[0])
}

// The first resource is given only when all the others have been, so that they
// can only come in another order than the list's.
func TestH6_TheOrderIsThatOfTheList(t *testing.T) {
	t.Parallel()
	const n = 6
	var others sync.WaitGroup
	others.Add(n - 1)
	ts := inProcess(t, func(s *server.MCPServer) {
		for i := range n {
			uri := fmt.Sprint("note://", i)
			s.AddResource(mcp.NewResource(uri, uri), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				if i == 0 {
					others.Wait()
				} else {
					others.Done()
				}
				return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, Text: uri}}, nil
			})
		}
	})
	docs, err := newLoader(t, ts, documents.WithConcurrency(2)).Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"note://0", "note://1", "note://2", "note://3", "note://4", "note://5"}, texts(docs))
}

func TestH6_SoManyAreReadAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n, most = 12, 3
		var running atomic.Int32
		next := make(chan struct{})
		ts := inProcess(t, func(s *server.MCPServer) {
			for i := range n {
				uri := fmt.Sprint("note://", i)
				s.AddResource(mcp.NewResource(uri, uri), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
					running.Add(1)
					defer running.Add(-1)
					<-next
					return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, Text: uri}}, nil
				})
			}
		})
		l := newLoader(t, ts, documents.WithConcurrency(most))
		loaded := make(chan []schema.Document)
		go func() {
			docs, err := l.Load(t.Context())
			assert.NoError(t, err)
			loaded <- docs
		}()
		for i := range n {
			synctest.Wait() // until nothing moves any more
			assert.EqualValues(t, min(most, n-i), running.Load())
			next <- struct{}{}
		}
		assert.Len(t, <-loaded, n)
	})
}

func TestH7_FailuresAreAnErrorWhereThereIsNothingElse(t *testing.T) {
	t.Parallel()
	const list = `{"resources":[{"uri":"a:1","name":"a"},{"uri":"a:2","name":"b"}]}`
	const text = `{"contents":[{"uri":"a:1","text":"one"}]}`
	for name, c := range map[string]struct {
		answers map[string]string
		opts    []documents.Option
		want    []string
		errs    []string // none = no error
	}{
		"one fails":            {answers: map[string]string{"resources/list": list, "a:1": text, "a:2": "!gone"}, want: []string{"one"}},
		"one fails, strict":    {answers: map[string]string{"resources/list": list, "a:1": text, "a:2": "!gone"}, opts: []documents.Option{documents.WithStrict()}, errs: []string{"gone"}},
		"all fail":             {answers: map[string]string{"resources/list": list, "a:1": "!burnt", "a:2": "!gone"}, errs: []string{"gone", "burnt"}},
		"the list fails":       {answers: map[string]string{"resources/list": "!no list today"}, errs: []string{"no list today"}},
		"the list, but a URI":  {answers: map[string]string{"resources/list": "!no list today", "a:1": text}, opts: []documents.Option{documents.WithURIs("a:1")}, want: []string{"one"}},
		"the list, strict":     {answers: map[string]string{"resources/list": "!no list today", "a:1": text}, opts: []documents.Option{documents.WithURIs("a:1"), documents.WithStrict()}, errs: []string{"no list today"}},
		"the list and the URI": {answers: map[string]string{"resources/list": "!no list today", "a:1": "!gone"}, opts: []documents.Option{documents.WithURIs("a:1")}, errs: []string{"no list today", "gone"}},
		"the list is not asked": {answers: map[string]string{"resources/list": "!no list today", "a:1": text},
			opts: []documents.Option{documents.WithURIPatterns(), documents.WithURIs("a:1"), documents.WithStrict()}, want: []string{"one"}},
		"an empty list":        {answers: map[string]string{"resources/list": `{"resources":[]}`}, want: []string{}},
		"contents are missing": {answers: map[string]string{"resources/list": list, "a:1": text, "a:2": "{}"}, want: []string{"one"}},
		"contents are empty":   {answers: map[string]string{"resources/list": list, "a:1": text, "a:2": `{"contents":[]}`}, opts: []documents.Option{documents.WithStrict()}, want: []string{"one"}},
		"a content is broken":  {answers: map[string]string{"resources/list": list, "a:1": `{"contents":[{"uri":"a:1"},{"text":"one"},7]}`, "a:2": text}, want: []string{"one", "one"}},
		"base64 is broken":     {answers: map[string]string{"resources/list": list, "a:1": text, "a:2": `{"contents":[{"uri":"a:2","blob":"%%%"}]}`}, want: []string{"one"}},
		"a read is no object":  {answers: map[string]string{"resources/list": list, "a:1": text, "a:2": `["x"]`}, want: []string{"one"}},
		"an item is broken":    {answers: map[string]string{"resources/list": `{"resources":[7,{"name":"no uri"},{"uri":"a:1"},{"uri":"a:1"}]}`, "a:1": text}, want: []string{"one"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told []documents.Skipped
			opts := append(slices.Clone(c.opts), documents.WithOnSkip(func(_ context.Context, s documents.Skipped) { told = append(told, s) }))
			l := newLoader(t, raw(t, c.answers), opts...)
			result, err := l.Read(t.Context())
			assert.Equal(t, result.Skipped, told, "all that was left out is told")
			docs, again := l.Load(t.Context())
			if c.errs == nil {
				require.NoError(t, err)
				require.NoError(t, again)
				assert.Equal(t, c.want, texts(docs))
				return
			}
			assert.Nil(t, docs)
			for _, words := range c.errs {
				assert.ErrorContains(t, err, words)
				assert.ErrorContains(t, again, words)
			}
			var fault *toolset.Error
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, "library", fault.Server)
		})
	}
}

func TestH7_AnErrorOfManyFailuresIsBounded(t *testing.T) {
	t.Parallel()
	ts := inProcess(t, func(s *server.MCPServer) {
		for i := range 200 {
			uri := fmt.Sprint("note://", i)
			s.AddResource(mcp.NewResource(uri, uri), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return nil, errors.New("no more paper")
			})
		}
	})
	result, err := newLoader(t, ts).Read(t.Context())
	assert.Len(t, result.Skipped, 200)
	require.ErrorContains(t, err, "and 190 more failures")
	assert.Equal(t, 10, strings.Count(err.Error(), "no more paper"))
}

func TestH6_AClosedToolsetAndAServerThatIsGone(t *testing.T) {
	t.Parallel()
	ts := inProcess(t, library)
	require.NoError(t, ts.Close())
	for _, opts := range [][]documents.Option{nil, {documents.WithURIPatterns(), documents.WithURIs("note://json")}} {
		docs, err := newLoader(t, ts, opts...).Load(t.Context())
		require.ErrorIs(t, err, toolset.ErrClosed)
		assert.Nil(t, docs)
	}
	_, err := newLoader(t, open(t, config.NewStreamableHTTP("http://127.0.0.1:1/mcp"))).Load(t.Context())
	var fault *toolset.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, toolset.StageConnect, fault.Stage)
}

func TestH6_TheEndOfTheContextEndsTheReading(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var reads atomic.Int32
	ts := inProcess(t, func(s *server.MCPServer) {
		for i := range 50 {
			uri := fmt.Sprintf("note://%02d", i)
			s.AddResource(mcp.NewResource(uri, uri), func(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				if reads.Add(1) == 3 {
					cancel()
				}
				if i > 1 {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, Text: uri}}, nil
			})
		}
	})
	result, err := newLoader(t, ts, documents.WithConcurrency(1)).Read(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, []string{"note://00", "note://01"}, texts(result.Documents), "what there is, is known")
	assert.Len(t, result.Skipped, 48)
	assert.EqualValues(t, 3, reads.Load(), "nobody is asked in vain")

	docs, err := newLoader(t, ts).Load(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, docs)
}

func TestH6_DocumentsAreSplit(t *testing.T) {
	t.Parallel()
	ts := inProcess(t, func(s *server.MCPServer) {
		add(s, mcp.NewResource("note://a", "a"), "one two three four")
		add(s, mcp.NewResource("note://b", "b"), "five")
	})
	l := newLoader(t, ts)
	docs, err := l.LoadAndSplit(t.Context(), textsplitter.NewRecursiveCharacter(textsplitter.WithChunkSize(10), textsplitter.WithChunkOverlap(0)))
	require.NoError(t, err)
	assert.Equal(t, []string{"one two", "three four", "five"}, texts(docs))
	docs[0].Metadata["mine"] = true
	assert.Equal(t, map[string]any{"uri": "note://a", "name": "a", "server": "library"}, docs[1].Metadata, "each part has its own")

	_, err = l.LoadAndSplit(t.Context(), nil)
	require.ErrorContains(t, err, "no splitter")
	broken := errors.New("out of scissors")
	_, err = l.LoadAndSplit(t.Context(), splitter(func(string) ([]string, error) { return nil, broken }))
	require.ErrorIs(t, err, broken)
}

type splitter func(string) ([]string, error)

func (s splitter) SplitText(text string) ([]string, error) { return s(text) }

func TestH6_FaultsOfTheOptions(t *testing.T) {
	t.Parallel()
	_, err := documents.New(nil,
		documents.WithURIPatterns("a[", "b"), documents.WithMIMETypes("text/[z-a]"), documents.WithURIs("a:1", ""),
		documents.WithMaxSize(0), documents.WithMaxResources(-1), documents.WithConcurrency(0))
	for _, words := range []string{
		"no toolset", "WithURIPatterns", `"a["`, "WithMIMETypes", "backwards", "WithURIs: a URI is empty",
		"WithMaxSize: 0", "WithMaxResources: -1", "WithConcurrency: 0",
	} {
		assert.ErrorContains(t, err, words)
	}
	assert.ErrorIs(t, err, path.ErrBadPattern)
}

func TestH6_OptionsCopyWhatTheyAreGiven(t *testing.T) {
	t.Parallel()
	patterns, types, uris := []string{"note://*"}, []string{"application/json"}, []string{"note://blank"}
	l := newLoader(t, inProcess(t, library), documents.WithURIPatterns(patterns...), documents.WithMIMETypes(types...), documents.WithURIs(uris...))
	patterns[0], types[0], uris[0] = "x", "y", "z"
	result, err := l.Read(t.Context())
	require.NoError(t, err)
	assert.Contains(t, texts(result.Documents), `{"id":9007199254740993}`)
	assert.Equal(t, documents.Empty, result.Skipped[0].Reason)
}

func TestH6_OneLoaderForManyAtOnce(t *testing.T) {
	t.Parallel()
	l := newLoader(t, inProcess(t, library), documents.WithMIMETypes("text/*"))
	want, err := l.Load(t.Context())
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			docs, err := l.Load(t.Context())
			assert.NoError(t, err)
			assert.Equal(t, want, docs)
		})
	}
	all.Wait()
}

func TestSkippedIsALineForALog(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]documents.Skipped{
		"the list of resources: failed: no":                    {Index: documents.Whole, Reason: documents.Failed, Err: errors.New("no")},
		`resource "a:1": too large: 7 bytes`:                   {URI: "a:1", Index: documents.Whole, Reason: documents.TooLarge, Size: 7},
		`resource "a:\n1", content 2: binary: 3 bytes`:         {URI: "a:\n1", Index: 2, Reason: documents.Binary, Size: 3},
		`resource "a:1": surplus`:                              {URI: "a:1", Index: documents.Whole, Reason: documents.Surplus},
		`resource "` + strings.Repeat("x", 200) + `": surplus`: {URI: strings.Repeat("x", 1<<20), Index: documents.Whole, Reason: documents.Surplus},
	} {
		assert.Equal(t, want, s.String())
	}
}
