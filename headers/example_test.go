package headers_test

import (
	"context"
	"fmt"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/mcptoolset/mcptoolset/headers"
)

func Example() {
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "a-token"})
	provider := headers.Join(headers.FromContext, headers.Bearer(source))

	ctx := headers.NewContext(context.Background(), http.Header{"X-User": {"ann"}})
	answer, err := provider(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Get("X-User"), "with", answer.Get("Authorization"))
	// Output: ann with Bearer a-token
}
