package progress_test

import (
	"context"
	"os"

	"github.com/mcptoolset/mcptoolset/progress"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// A command line shows its calls on os.Stderr; here it is os.Stdout, and no
// terminal.
func Example() {
	line := progress.NewLine(os.Stdout, progress.WithTerminal(false))
	defer line.Clear()
	option := toolset.WithProgressHandler(line.Handle) // for toolset.New
	_ = option

	line.Handle(context.Background(), toolset.Progress{Server: "files", Tool: "index", Progress: 3, Total: 12, Message: "reading notes"})
	// Output: files index  25% reading notes
}
