package chat

import (
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// value returns the part as the providers' type switches expect it: pointers
// are followed, and a call or response is taken out of the caching hint
// around it, which no provider reads there. It is nil for a part without a
// value.
func value(part llms.ContentPart) llms.ContentPart {
	switch p := part.(type) {
	case *llms.TextContent:
		return deref(p)
	case *llms.ImageURLContent:
		return deref(p)
	case *llms.BinaryContent:
		return deref(p)
	case *llms.ToolCall:
		return deref(p)
	case *llms.ToolCallResponse:
		return deref(p)
	case *llms.CachedContent:
		if p == nil {
			return nil
		}
		return uncached(*p)
	case llms.CachedContent:
		return uncached(p)
	default:
		return part
	}
}

func deref[T llms.ContentPart](p *T) llms.ContentPart {
	if p == nil {
		return nil
	}
	return *p
}

func uncached(cached llms.CachedContent) llms.ContentPart {
	switch inner := value(cached.ContentPart).(type) {
	case llms.ToolCall, llms.ToolCallResponse:
		return inner
	case nil:
		return nil
	default:
		return llms.CachedContent{ContentPart: inner, CacheControl: cached.CacheControl}
	}
}

// joinText puts two pieces of text together without gluing words: a line
// break goes between them where neither has white space at the seam.
func joinText(a, b string) string {
	if a == "" || b == "" || spaceAt(a[len(a)-1]) || spaceAt(b[0]) {
		return a + b
	}
	return a + "\n" + b
}

func spaceAt(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// joinTexts replaces all plain texts among parts by one at the place of the
// first: a provider that reads only one part must not lose the others.
func joinTexts(parts []llms.ContentPart) []llms.ContentPart {
	joined := make([]llms.ContentPart, 0, len(parts))
	at := -1
	for _, part := range parts {
		text, ok := part.(llms.TextContent)
		switch {
		case !ok:
			joined = append(joined, part)
		case at < 0:
			at = len(joined)
			joined = append(joined, text)
		default:
			first, _ := joined[at].(llms.TextContent)
			joined[at] = llms.TextContent{Text: joinText(first.Text, text.Text)}
		}
	}
	return joined
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }
