package chat

import (
	"slices"

	"github.com/tmc/langchaingo/llms"
)

// A pairing reads a history once and finds the response to each call.
type pairing struct {
	entries []*entry
	// turn holds the exchanges of the last AI message with calls; those of
	// the turns before are in past, by the id of their call.
	turn []*exchange
	past map[string][]*exchange
	// stray are the answers since that message whose id no call has.
	stray []*entry
}

// An entry is one piece of the history in its place: a message, an exchange,
// or an answer no call has been found for yet (whose place is given up when
// one is).
type entry struct {
	message  *llms.MessageContent
	exchange *exchange
	answer   *answer
}

// read takes one message apart. The kind of a part counts, not the role of
// its message: a response in a human message is a response.
func (p *pairing) read(message llms.MessageContent) {
	var calls []llms.ToolCall
	var answers []*answer
	var rest []llms.ContentPart
	answersFirst := false // they belong to calls of a message before
	for _, part := range message.Parts {
		switch v := value(part).(type) {
		case nil:
		case llms.ToolCall:
			calls = append(calls, v)
		case llms.ToolCallResponse:
			answersFirst = answersFirst || len(calls) == 0
			answers = append(answers, &answer{response: v})
		default:
			rest = append(rest, v)
		}
	}
	if isToolRole(message.Role) {
		answers, rest = attach(answers, rest)
	}
	if answersFirst {
		p.addAnswers(answers)
	}
	p.addMessage(message.Role, rest, len(calls) > 0)
	p.addCalls(calls)
	if !answersFirst {
		p.addAnswers(answers)
	}
}

func isToolRole(role llms.ChatMessageType) bool {
	return role == llms.ChatMessageTypeTool || role == llms.ChatMessageTypeFunction
}

// attach gives what a tool message holds beside its responses to the last of
// them: text joins its content, since providers read no text there, and an
// image stays beside it. Text alone is a response itself. What is left has no
// response to go with.
func attach(answers []*answer, rest []llms.ContentPart) ([]*answer, []llms.ContentPart) {
	var text string
	beside := rest[:0:0]
	for _, part := range joinTexts(rest) {
		if t, ok := part.(llms.TextContent); ok {
			text = t.Text
			continue
		}
		beside = append(beside, part)
	}
	if len(answers) == 0 && !isBlank(text) {
		answers = []*answer{{}}
	}
	if len(answers) == 0 {
		return nil, rest
	}
	last := answers[len(answers)-1]
	last.response.Content = joinText(last.response.Content, text)
	last.beside = beside
	return answers, nil
}

func (p *pairing) addMessage(role llms.ChatMessageType, parts []llms.ContentPart, hasCalls bool) {
	if role == llms.ChatMessageTypeAI {
		parts = joinTexts(parts)
		if hasCalls {
			parts = slices.DeleteFunc(parts, isBlankText)
		}
	}
	if len(parts) == 0 {
		return
	}
	p.entries = append(p.entries, &entry{message: &llms.MessageContent{Role: role, Parts: parts}})
}

func isBlankText(part llms.ContentPart) bool {
	text, ok := part.(llms.TextContent)
	return ok && isBlank(text.Text)
}

func (p *pairing) addCalls(calls []llms.ToolCall) {
	if len(calls) == 0 {
		return
	}
	p.endTurn()
	for _, call := range calls {
		e := &exchange{call: copyCall(call)}
		p.turn = append(p.turn, e)
		p.entries = append(p.entries, &entry{exchange: e})
	}
}

// addAnswers gives each answer to the call with its id. Where there is none
// the answer waits for the end of the turn, so that it takes no call away from
// an answer that has the call's id.
func (p *pairing) addAnswers(answers []*answer) {
	for _, a := range answers {
		if id := a.response.ToolCallID; id != "" && p.answerByID(id, a) {
			continue
		}
		stray := &entry{answer: a}
		p.entries = append(p.entries, stray)
		p.stray = append(p.stray, stray)
	}
}

func (p *pairing) answerByID(id string, a *answer) bool {
	var same []*exchange
	for _, e := range p.turn {
		if e.call.ID == id {
			same = append(same, e)
		}
	}
	if len(same) == 0 {
		same = p.past[id]
	}
	if len(same) == 0 {
		return false
	}
	for _, e := range same {
		if e.answer == nil {
			e.answer = a
			return true
		}
	}
	// All are answered: this says more about the last of them.
	said := same[len(same)-1].answer
	said.response.Content = joinText(said.response.Content, a.response.Content)
	said.beside = append(said.beside, a.beside...)
	return true
}

// endTurn gives the stray answers to the calls of the turn that are still
// open, by name, then by place where one side has no id. An answer that is
// left over becomes an exchange of its own.
func (p *pairing) endTurn() {
	for _, stray := range p.stray {
		e := p.openCall(stray.answer.response)
		if e != nil {
			e.answer, stray.answer = stray.answer, nil
			continue
		}
		stray.exchange, stray.answer = orphan(stray.answer), nil
	}
	p.stray = nil
	p.retire()
}

func (p *pairing) openCall(response llms.ToolCallResponse) *exchange {
	for _, e := range p.turn {
		if e.answer == nil && response.Name != "" && e.call.FunctionCall.Name == response.Name {
			return e
		}
	}
	for _, e := range p.turn {
		nameless := response.Name == "" || e.call.FunctionCall.Name == ""
		if e.answer == nil && nameless && (response.ToolCallID == "" || e.call.ID == "") {
			return e
		}
	}
	return nil
}

// retire moves the turn into the past, where only an answer with the id of a
// call still reaches it. An id used again belongs to the later turn.
func (p *pairing) retire() {
	turn := map[string][]*exchange{}
	for _, e := range p.turn {
		if e.call.ID != "" {
			turn[e.call.ID] = append(turn[e.call.ID], e)
		}
	}
	if p.past == nil {
		p.past = map[string][]*exchange{}
	}
	for id, exchanges := range turn {
		p.past[id] = exchanges
	}
	p.turn = nil
}

// orphan returns an exchange for an answer to a call the history has lost.
func orphan(a *answer) *exchange {
	call := llms.ToolCall{ID: a.response.ToolCallID, FunctionCall: &llms.FunctionCall{Name: a.response.Name}}
	return &exchange{call: copyCall(call), answer: a}
}

// write returns the messages of the entries in their order.
func (p *pairing) write(form Form) []llms.MessageContent {
	messages := make([]llms.MessageContent, 0, len(p.entries)+len(p.entries)/2)
	ids := NewIDs(nil)
	for _, entry := range p.entries {
		switch {
		case entry.message != nil:
			messages = append(messages, *entry.message)
		case entry.exchange != nil:
			e := entry.exchange
			function := e.call.FunctionCall
			e.call.ID = ids.claim(e.call.ID, function.Name, function.Arguments)
			e.fill()
			messages = appendExchange(messages, e, form)
		}
	}
	return messages
}

func appendExchange(messages []llms.MessageContent, e *exchange, form Form) []llms.MessageContent {
	if last := len(messages) - 1; form.TextWithCall && last >= 0 && isAIText(messages[last]) {
		messages[last] = e.callMessage(messages[last].Parts...)
		return append(messages, e.responseMessage())
	}
	return append(messages, e.callMessage(), e.responseMessage())
}

// isAIText tells whether the message is one of the model without a call.
func isAIText(message llms.MessageContent) bool {
	return message.Role == llms.ChatMessageTypeAI && !slices.ContainsFunc(message.Parts, isCall)
}

func isCall(part llms.ContentPart) bool {
	_, ok := part.(llms.ToolCall)
	return ok
}
