package resources

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// resolve finds the URI to read. Note is what the model should know of how it
// was found.
func (l loader) resolve(ctx context.Context, s Server, asked request) (uri, note string, err error) {
	switch {
	case asked.name != "":
		return l.byName(ctx, s, asked)
	case len(asked.variables) > 0:
		uri, err = fill(asked.uri, asked.variables)
	case isTemplate(asked.uri):
		uri, err = l.unfilled(ctx, s, asked.uri)
	default:
		uri = asked.uri
	}
	return uri, "", err
}

// unfilled judges a URI that looks like a template but came without variables:
// it is one where the server lists it as one, and else a URI like any other.
func (l loader) unfilled(ctx context.Context, s Server, uri string) (string, error) {
	listed := false
	_, err := templateList.scan(ctx, s, l.options, func() func(item) bool {
		return func(i item) bool {
			listed = i.URITemplate == uri
			return !listed
		}
	})
	switch {
	case err != nil:
		return "", err
	case listed:
		return fill(uri, nil)
	}
	return uri, nil
}

// byName finds the one resource of a name, or else the one template. With
// variables it can only be a template.
func (l loader) byName(ctx context.Context, s Server, asked request) (uri, note string, err error) {
	var among []*search
	if len(asked.variables) == 0 {
		resources, err := l.search(ctx, s, resourceList, asked.name)
		if err != nil {
			return "", "", err
		}
		if uri, err := resources.only(); err != nil || uri != "" {
			return uri, resources.caveat(), err
		}
		among = append(among, resources)
	}
	templates, err := l.search(ctx, s, templateList, asked.name)
	if err != nil {
		if ctx.Err() != nil || len(among) == 0 {
			return "", "", err
		}
		templates.cut = fmt.Sprintf("%s failed: %s", templateList.method, clip(err.Error(), maxName))
	}
	raw, err := templates.only()
	switch {
	case err != nil:
		return "", "", err
	case raw == "":
		return "", "", unknown(asked.name, append(among, templates)...)
	}
	uri, err = fill(raw, asked.variables)
	return uri, templates.caveat(), err
}

// isTemplate reports whether a URI is a template with variables.
func isTemplate(uri string) bool {
	if !strings.Contains(uri, "{") {
		return false
	}
	t, err := parseTemplate(uri)
	if err != nil {
		return false
	}
	all, _ := t.names()
	return len(all) > 0
}

// fill makes a URI of a template. One without variables is a URI already, which
// some servers list among the templates.
func fill(raw string, values map[string]value) (string, error) {
	t, err := parseTemplate(raw)
	if err != nil {
		return "", refuse(ErrArguments, "The template %s cannot be filled in: %v. Give the complete uri in its place.", quoted(raw), err)
	}
	all, needed := t.names()
	if len(all) == 0 && len(values) > 0 {
		return "", refuse(ErrArguments, "%s is no template, so there are no variables to give. %s", quoted(raw), loadUsage)
	}
	var missing, strange []string
	known := map[string]bool{}
	for _, name := range all {
		known[name] = true
	}
	for _, name := range needed {
		if values[name].undefined() {
			missing = append(missing, name)
		}
	}
	for name := range values {
		if !known[name] {
			strange = append(strange, name)
		}
	}
	if len(missing)+len(strange) > 0 {
		return "", misfit(raw, all, missing, slices.Sorted(slices.Values(strange)))
	}
	uri, err := t.expand(values)
	if err != nil {
		return "", refuse(ErrArguments, "The template %s cannot be filled in: %v.", quoted(raw), err)
	}
	return uri, nil
}

// misfit says which variables are missing and which there are not, and how the
// call should look.
func misfit(raw string, all, missing, strange []string) error {
	const most = 10
	example := map[string]string{}
	for _, name := range all[:min(len(all), most)] {
		example[clip(name, maxEcho)] = "..."
	}
	call := encode(struct {
		URI       string            `json:"uri"`
		Variables map[string]string `json:"variables"`
	}{clip(raw, maxURI), example})
	var faults []string
	if len(missing) > 0 {
		faults = append(faults, "needs a value for "+names(missing))
	}
	if len(strange) > 0 {
		faults = append(faults, "has no variable "+names(strange))
	}
	return refuse(ErrArguments, "The template %s %s. Call it with %s", quoted(raw), strings.Join(faults, ", and "), call)
}
