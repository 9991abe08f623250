package filter_test

import (
	"context"
	"fmt"

	"github.com/mcptoolset/mcptoolset/filter"
)

func Example() {
	f := filter.And(
		filter.Match("read_*", "list_*"),
		filter.Deny("read_secrets"),
	)
	for _, name := range []string{"list_files", "read_file", "read_secrets", "delete_file"} {
		keep, err := filter.Apply(context.Background(), f, filter.Tool{Name: name})
		fmt.Println(name, keep, err)
	}
	// Output:
	// list_files true <nil>
	// read_file true <nil>
	// read_secrets false <nil>
	// delete_file false <nil>
}

type roleKey struct{}

func ExamplePredicate() {
	onlyAdmins := filter.Predicate(func(ctx context.Context, t filter.Tool) (bool, error) {
		harmless := t.Destructive != nil && !*t.Destructive
		return harmless || ctx.Value(roleKey{}) == "admin", nil
	})

	admin := context.WithValue(context.Background(), roleKey{}, "admin")
	drop := filter.Tool{Name: "drop_table"}
	fmt.Println(filter.Apply(context.Background(), onlyAdmins, drop))
	fmt.Println(filter.Apply(admin, onlyAdmins, drop))
	// Output:
	// false <nil>
	// true <nil>
}

func ExampleUnknown() {
	server := []string{"search", "fetch"}

	unknown, err := filter.Unknown(filter.Allow("search", "fetsh"), server)
	fmt.Println(unknown, err)

	_, err = filter.Unknown(filter.Allow("docs_search"), server)
	fmt.Println(err)
	// Output:
	// [fetsh] <nil>
	// filter: the filter names tools to keep, and the server lists none of them: "docs_search" (it lists "search", "fetch"; filters take the server's own names, without a prefix)
}

func ExampleValidate() {
	fmt.Println(filter.Validate(filter.Match("read_*", "[a-")))
	// Output:
	// filter: syntax error in pattern "[a-": a "[" is not closed: add "]", or write "\[" for the character itself
}
