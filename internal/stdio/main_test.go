package stdio_test

import (
	"testing"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
)

func TestMain(m *testing.M) {
	benchChild()
	mcptest.Main(m)
}
