// Package documents feeds what an MCP server has to read to LangChainGo's
// splitters and vector stores. A [Loader] is a LangChainGo document loader
// over the resources of a toolset:
//
//	loader, err := documents.New(ts, documents.WithMIMETypes("text/*"))
//	docs, err := loader.LoadAndSplit(ctx, textsplitter.NewMarkdownTextSplitter())
//	ids, err := store.AddDocuments(ctx, docs)
//
// Each text that a resource holds is one document, unchanged, in the order of
// the server's list. Its metadata say where it comes from: see [KeyURI] and the
// other keys.
//
// # What is left out
//
// Binary contents, texts over a limit and empty texts are no documents, and a
// resource that cannot be read is none either. None of them hides the others:
// callers of a LangChainGo loader throw its documents away when it returns an
// error, so [Loader.Load] returns none for as long as there is something to
// return. What was left out is told by [Loader.Read], and to the function of
// [WithOnSkip], each with a [Reason]. [WithStrict] is for an index that must be
// whole or not be made: there a failure is an error.
//
// What the owner's own patterns and types keep out is not told.
//
// # Trust
//
// Texts, names and titles are the server's words. In an index, and later in a
// prompt, they are a stranger's: they can try to instruct a model.
package documents
