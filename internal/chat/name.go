package chat

import "strings"

// maxName is the longest name of a tool that every provider takes.
const maxName = 64

// acceptable returns a name that providers take in a history: letters, digits,
// _ and -, the first of them a letter or _. Models make up names such as
// multi_tool_use.parallel, and a provider then refuses its own words, and all
// requests after that.
func acceptable(name string) string {
	name = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return namelessTool
	}
	if first := name[0]; first == '-' || '0' <= first && first <= '9' {
		name = "_" + name
	}
	return name[:min(len(name), maxName)]
}
