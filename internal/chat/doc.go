// Package chat repairs what goes between LangChainGo and a model provider:
// the history a request carries and the response that comes back.
//
// LangChainGo's providers differ in what they take. One panics on a call
// without a function, one keeps the first part of a message and drops the
// others, one wants the tool's name in a response, one gives no ids. There is
// one form that all providers with tools take, and History brings any history
// into it: every call in an AI message of its own, each followed at once by
// the one response to it, ids and names filled in, arguments a JSON object.
// Response does the same for an answer.
//
// The package is pure: no I/O, no goroutines, and no input makes it panic.
// Nothing it is given is ever changed; what it returns may share only values
// that nobody writes to (the bytes of images, the values of GenerationInfo).
// All functions may be called from several goroutines.
package chat
