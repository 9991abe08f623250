package main

import (
	"os"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
)

// chooseModel returns the model the environment asks for and how to call it.
func chooseModel() (llms.Model, string, error) {
	key := os.Getenv("OPENAI_API_KEY")
	if key == "" {
		return standIn{}, "a stand-in that matches words; set OPENAI_API_KEY for a real model", nil
	}
	name := os.Getenv("MODEL")
	if name == "" {
		name = "gpt-4o-mini"
	}
	options := []openai.Option{openai.WithToken(key), openai.WithModel(name)}
	if base := os.Getenv("OPENAI_BASE_URL"); base != "" {
		options = append(options, openai.WithBaseURL(base))
	}
	model, err := openai.New(options...)
	return model, name, err
}
