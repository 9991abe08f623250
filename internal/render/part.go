package render

import (
	"fmt"
	"unicode/utf8"
)

// Part returns what text has from the character at offset on, as much as budget
// has room for. A marker at the end says which part it is and how to go on:
// more is what to go on with, beside the offset, as [Options.Keep] answers. An
// offset below zero is zero, a budget of zero or less is [DefaultBudget].
func Part(text string, offset, budget int, more string) string {
	if budget <= 0 {
		budget = DefaultBudget
	}
	offset = max(offset, 0)
	total := utf8.RuneCountInString(text)
	if offset > 0 && offset >= total {
		nothing, _ := Cut(beyond(offset, total), budget, false)
		return nothing
	}
	text = text[byteIndex(text, offset):]
	if end := ending(offset, total, total, more); total-offset+utf8.RuneCountInString(end) <= budget {
		return clean(text + end)
	}
	room := budget - utf8.RuneCountInString(ending(offset, total-1, total, more))
	if room <= 0 {
		text, _ = Cut(text, budget, false)
		return text
	}
	return clean(text[:byteIndex(text, room)] + ending(offset, offset+room, total, more))
}

// ending is the marker on a line of its own.
func ending(from, to, total int, more string) string {
	if mark := shown(from, to, total, more); mark != "" {
		return "\n" + mark
	}
	return ""
}

// shown is the marker for the characters from one on up to another one; ""
// where that is all of them.
func shown(from, to, total int, more string) string {
	switch {
	case to < total && from == 0:
		return fmt.Sprintf("[cut: %d of %d characters shown; %s]", to, total, continuing(more, to))
	case to < total:
		return fmt.Sprintf("[cut: characters %d to %d of %d shown; %s]", from+1, to, total, continuing(more, to))
	case from > 0:
		return fmt.Sprintf("[characters %d to %d of %d shown: this is the end]", from+1, total, total)
	default:
		return ""
	}
}

// continuing says how to read on.
func continuing(more string, offset int) string {
	if more != "" {
		more += ", "
	}
	return fmt.Sprintf("continue with %soffset %d", more, offset)
}

// beyond says that there is nothing at an offset.
func beyond(offset, total int) string {
	return fmt.Sprintf("[nothing at offset %d: the text has %d characters]", offset, total)
}
