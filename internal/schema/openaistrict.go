package schema

// OpenAIStrict is what OpenAI's strict mode accepts: every object closed, every
// property required, those that were optional nullable instead. Restore drops
// the nulls again that only mean that a field was left out.
//
// Objects of any form, values of any type, recursion and schemas beyond strict
// mode's limits cannot be said strictly. They are shown as by OpenAI, and
// Shown.Strict is false.
var OpenAIStrict = register(rules{
	name:      "openai-strict",
	tools:     128,
	strict:    true,
	otherwise: OpenAI,
	depth:     10,
	unions:    true,
	keywords:  openAIKeywords,
	formats:   []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"},
})
