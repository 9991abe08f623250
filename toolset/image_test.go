package toolset_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestE3_ImagesAsServersSendThem(t *testing.T) {
	t.Parallel()
	png := []byte("\x89PNG\r\n\x1a\n\xfb\xff\xfe and so on")
	encoded := base64.StdEncoding.EncodeToString(png)
	for title, c := range map[string]struct {
		content toolset.Content
		want    string // the type; "" where it is no image
		fails   string
	}{
		"as it should be":         {content: toolset.Content{Type: "image", Data: encoded, MIMEType: "image/png"}, want: "image/png"},
		"the URL alphabet":        {content: toolset.Content{Type: "image", Data: base64.RawURLEncoding.EncodeToString(png), MIMEType: "image/png"}, want: "image/png"},
		"a data URL":              {content: toolset.Content{Type: "image", Data: "data:image/png;base64," + encoded, MIMEType: "image/png"}, want: "image/png"},
		"in lines":                {content: toolset.Content{Type: "image", Data: encoded[:8] + "\r\n" + encoded[8:], MIMEType: "image/png"}, want: "image/png"},
		"capitals, parameters":    {content: toolset.Content{Type: "image", Data: encoded, MIMEType: "Image/PNG; charset=binary"}, want: "image/png"},
		"no type":                 {content: toolset.Content{Type: "image", Data: encoded}, want: "image/png"},
		"a type that is none":     {content: toolset.Content{Type: "image", Data: encoded, MIMEType: "image/png\r\nX-A: b"}, want: "image/png"},
		"a bare type":             {content: toolset.Content{Type: "image", Data: encoded, MIMEType: "image"}, want: "image/png"},
		"any type":                {content: toolset.Content{Type: "image", Data: encoded, MIMEType: "image/*"}, want: "image/png"},
		"a huge type":             {content: toolset.Content{Type: "image", Data: encoded, MIMEType: "image/" + strings.Repeat("x", 10_000)}, want: "image/png"},
		"a resource":              {content: toolset.Content{Type: "resource", Data: encoded, MIMEType: "image/png"}, want: "image/png"},
		"a resource of no type":   {content: toolset.Content{Type: "resource", Data: encoded}, want: "image/png"},
		"a zip":                   {content: toolset.Content{Type: "resource", Data: encoded, MIMEType: "application/zip"}},
		"audio":                   {content: toolset.Content{Type: "audio", Data: encoded}},
		"text":                    {content: toolset.Content{Type: "text", Text: "a"}},
		"bytes that are no image": {content: toolset.Content{Type: "image", Data: "AQID"}},
		"broken":                  {content: toolset.Content{Type: "image", Data: "!!", MIMEType: "image/png"}, fails: "images left out: item 0: image item: broken base64"},
		"broken, no type":         {content: toolset.Content{Type: "image", Data: "!!"}, fails: "images left out: item 0"},
		"broken, it may be any":   {content: toolset.Content{Type: "resource", Data: "!!"}},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			r := &toolset.Result{Content: []toolset.Content{c.content}}
			parts, err := r.Images(toolset.ImageBinary)
			urls, _ := r.Images(toolset.ImageDataURL)
			if c.fails != "" {
				require.ErrorContains(t, err, c.fails)
			} else {
				require.NoError(t, err)
			}
			if c.want == "" {
				assert.Empty(t, parts)
				assert.Empty(t, urls)
				return
			}
			assert.Equal(t, []llms.ContentPart{llms.BinaryPart(c.want, png)}, parts)
			assert.Equal(t, []llms.ContentPart{llms.ImageURLPart("data:" + c.want + ";base64," + encoded)}, urls)
		})
	}
}
