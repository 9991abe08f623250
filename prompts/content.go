package prompts

import (
	"math"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// content is what one message of a prompt holds.
type content struct{ toolset.Content }

// text reports that the content is a text, if only by what it holds.
func (c content) text() bool {
	return c.Type == decode.TypeText || c.Type == "" && c.Text != ""
}

// isEmpty reports that there is nothing to show or to describe.
func (c content) isEmpty() bool {
	if c.text() {
		return strings.TrimSpace(c.Text) == ""
	}
	return c.Type == ""
}

// usable reports that the content holds what its type is about, whatever else
// may be wrong with it.
func (c content) usable() bool {
	switch c.Type {
	case decode.TypeImage, decode.TypeAudio:
		return c.Data != ""
	case decode.TypeResource:
		return c.Text != "" || c.Data != ""
	case decode.TypeResourceLink:
		return c.URI != ""
	}
	return c.text() && !c.isEmpty()
}

// words is the content as a model reads it, described where it is no text.
func (c content) words() string {
	return render.Result(decode.Result{Content: []decode.Content{c.decoded()}}, render.Options{Budget: math.MaxInt})
}

// decoded is the content as package render takes it. What is usable is shown as
// if nothing were wrong: the notes say what is.
func (c content) decoded() decode.Content {
	d := decode.Content{
		Type: c.Type, Text: c.Text, Data: c.Data, MIMEType: c.MIMEType, URI: c.URI,
		Name: c.Name, Title: c.Title, Description: c.Description, Raw: c.Raw, Fault: c.Fault,
	}
	if c.usable() {
		d.Fault = ""
	}
	if c.text() {
		d.Type = decode.TypeText
	}
	if c.Type == decode.TypeResource {
		d.Resource = &decode.ResourceContents{
			URI: c.URI, Name: c.Name, Title: c.Title, MIMEType: c.MIMEType,
			Text: c.Text, HasText: c.Text != "" || c.Data == "" && c.Fault == "",
			Blob: c.Data, HasBlob: c.Data != "",
			Raw: c.Raw, Fault: d.Fault,
		}
	}
	return d
}

// fault says why the content could not be taken as what it says it is; "" if
// it could.
func (c content) fault() string {
	switch {
	case c.Fault != "" && c.usable():
		return "it is not quite as it should be: " + c.Fault
	case c.Fault != "":
		return "its content could not be read: " + c.Fault
	case c.Type == decode.TypeImage && c.picture(toolset.ImageBinary) == nil:
		return "its picture is not sent: it is no image in base64"
	}
	return ""
}

// picture is the image that the content is, nil where it is none.
func (c content) picture(form toolset.ImageForm) llms.ContentPart {
	if c.Type != decode.TypeImage && c.Type != decode.TypeResource {
		return nil
	}
	result := toolset.Result{Content: []toolset.Content{c.Content}}
	// What cannot be decoded is described in words.
	if pictures, _ := result.Images(form); len(pictures) > 0 {
		return pictures[0]
	}
	return nil
}
