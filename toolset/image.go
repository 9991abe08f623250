package toolset

import (
	"encoding/base64"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// ImageForm is how an image becomes part of a message. No form works with
// every provider of LangChainGo.
type ImageForm int

const (
	// ImageBinary is llms.BinaryContent: anthropic, bedrock and googleai.
	ImageBinary ImageForm = iota
	// ImageDataURL is llms.ImageURLContent with a data URL: openai.
	ImageDataURL
)

// Images returns the images of the result as parts of a message, embedded
// resources that are images among them. A type is given as providers want it,
// such as "image/png"; where the server names none, or none that is one, it is
// found in the bytes. An image that cannot be decoded is left out and named by
// the error; the others are returned with it.
func (r *Result) Images(form ImageForm) ([]llms.ContentPart, error) {
	var parts []llms.ContentPart
	var broken []string
	for i, c := range r.Content {
		switch part, err := c.image(form); {
		case err != nil && len(broken) < maxNamed:
			broken = append(broken, fmt.Sprintf("item %d: %v", i, err))
		case part != nil:
			parts = append(parts, part)
		}
	}
	if broken != nil {
		return parts, fmt.Errorf("images left out: %s", strings.Join(broken, "; "))
	}
	return parts, nil
}

// image is the content as a part of a message; nil where it is no image.
func (c Content) image(form ImageForm) (llms.ContentPart, error) {
	if c.Data == "" {
		return nil, nil
	}
	is := mediaType(c.MIMEType)
	unsaid := is == "" && (c.Type == decode.TypeImage || c.Type == decode.TypeResource)
	if !unsaid && !strings.HasPrefix(is, "image/") {
		return nil, nil
	}
	data, err := c.Bytes()
	switch {
	case err != nil && unsaid && c.Type == decode.TypeResource: // it may be anything
		return nil, nil
	case err != nil:
		return nil, err
	case unsaid:
		is, _, _ = strings.Cut(http.DetectContentType(data), ";")
	}
	switch {
	case !strings.HasPrefix(is, "image/"):
		return nil, nil
	case form == ImageDataURL:
		return llms.ImageURLPart("data:" + is + ";base64," + base64.StdEncoding.EncodeToString(data)), nil
	}
	return llms.BinaryPart(is, data), nil
}

// maxMediaType bounds the length of a type in bytes (RFC 6838, section 4.2, has
// 127 for each half).
const maxMediaType = 255

// mediaType is a MIME type without parameters and in small letters; "" where it
// is not one, or stands for several. Providers refuse a request for less.
func mediaType(s string) string {
	is, _, err := mime.ParseMediaType(s)
	if err != nil || len(is) > maxMediaType || !strings.Contains(is, "/") || strings.Contains(is, "*") {
		return ""
	}
	return is
}
