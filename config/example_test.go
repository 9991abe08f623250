package config_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
)

func Example() {
	cfg, err := config.NewStreamableHTTP("https://example.com/mcp?key=s3cret").
		Header("Authorization", "Bearer s3cret").
		Filter(filter.Allow("search", "fetch")).
		Resources(true).
		CallTimeout(30 * time.Second).
		Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cfg.ServerName())
	fmt.Println(cfg)
	// Output:
	// example.com
	// config.Config{StreamableHTTP:{URL:"https://example.com/mcp?key=***" Headers:["Authorization"]} Filter:"Allow(\"search\", \"fetch\")" Resources:true CallTimeout:"30s"}
}

func ExampleNewStdio() {
	cfg, err := config.NewStdio("npx", "-y", "@modelcontextprotocol/server-github").
		Env("GITHUB_PERSONAL_ACCESS_TOKEN", "s3cret").
		Build()
	fmt.Println(cfg, err)
	fmt.Println(cfg.WithDefaults().ConnectTimeout)
	// Output:
	// config.Config{Stdio:{Command:"npx" Args:"-y ***" Env:["GITHUB_PERSONAL_ACCESS_TOKEN"]}} <nil>
	// 1m0s
}

func ExampleConfig_Validate() {
	cfg := config.Config{
		Name:           "docs",
		StreamableHTTP: &config.StreamableHTTP{URL: "${DOCS_URL}/mcp", Headers: map[string]string{"X-Api-Key": "s3cret\n"}},
		MaxOutput:      -1,
	}
	err := cfg.Validate()
	fmt.Println(errors.Is(err, config.ErrNoConnection))
	for _, fault := range err.(interface{ Unwrap() []error }).Unwrap() {
		fmt.Println(fault)
	}
	// Output:
	// false
	// StreamableHTTP.URL: holds the variable ${DOCS_URL}, which was not expanded: put its value there, for instance with os.Getenv
	// StreamableHTTP.Headers["X-Api-Key"]: the value holds a line feed: trim it; a token read from a file often ends in one
	// MaxOutput: is negative: -1: use a positive number, or leave it out for the default
}

func ExampleConfig_Builder() {
	base := config.Config{SSE: &config.SSE{URL: "https://example.com/sse"}, Resources: true}

	cfg, err := base.Builder().Name("staging").URL("https://staging.example.com/sse").Build()
	fmt.Println(cfg, err)
	fmt.Println(base)
	// Output:
	// config.Config{Name:"staging" SSE:{URL:"https://staging.example.com/sse"} Resources:true} <nil>
	// config.Config{SSE:{URL:"https://example.com/sse"} Resources:true}
}
