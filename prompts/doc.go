// Package prompts makes a server's prompts, and its instructions, what
// LangChainGo works with.
//
// A [Template] is a prompt of the server as LangChainGo's own templates are:
// for chains, and for the extra messages of package agent. Its input variables
// are the arguments that the prompt requires, and each use asks the server:
//
//	review, err := prompts.New(ctx, ts, "review")
//	chain := chains.NewLLMChain(llm, review.WithContext(ctx))
//	answer, err := chains.Run(ctx, chain, code)
//
// [Messages] makes llms messages of what Toolset.GetPrompt gives, pictures
// included, for Model.GenerateContent.
//
// # Text stays text
//
// What a server wrote is never taken for a template. "{{.x}}" in a prompt
// reaches the model as it stands. Only a text that the owner puts inside a
// template of LangChainGo must be written for it: [Literal] does that for any
// text, [Instructions] for what a server says on its use.
//
// # Trust
//
// A prompt speaks with the user's and the model's voice, in the server's words.
// It cannot speak as the system: a role that the protocol does not have is
// taken for the user's. Use prompts, and instructions, of servers you trust to
// instruct the model.
package prompts
