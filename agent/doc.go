// Package agent has an agent for LangChainGo's own Executor that calls tools
// the way models of today do it:
//
//	assistant := agent.New(llm, tools)
//	answer, err := chains.Run(ctx, agents.NewExecutor(assistant), question)
//
// The model sees each tool's real schema, under the profile of its provider.
// It may call several tools in one turn; each call is answered under its id.
// What it says beside its calls stays in the conversation, as do calls that
// look like earlier ones. The tools may be those of several Toolsets and any
// other LangChainGo tools.
//
// LangChainGo's OpenAIFunctionsAgent over toolset.Bind does most of that too.
// It suits who has that agent already. This one is for new programs, and for
// those who need the rest: the text beside calls, an error in place of an empty
// answer, earlier messages as messages, and texts of servers in the system
// message. Both send and read through toolset.Bind.
//
// # What the Executor sees
//
// Each call is an AgentAction: Tool is the name as the model wrote it, ToolInput
// the arguments as it wrote them, ToolID the call's id, and Log what it said
// before it called, on the first action of a turn. That is all there is to know
// of a run, so an Agent keeps nothing of it and serves many runs at a time.
//
// An observation goes to the model as the tool returned it. A name that no
// tool has, or arguments that do not fit, become an observation as well. Errors
// of the model or of a tool end the run, as does the end of ctx.
package agent
