package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/args"
	"github.com/mcptoolset/mcptoolset/internal/schema"
)

const (
	argumentsMicros = 10
	corpusSeconds   = 1
)

// arguments is the check of a flat object of ten properties.
func arguments(l *lab) ([]figure, error) {
	checked := args.New(json.RawMessage(flatSchema))
	if reason := checked.Unchecked(); reason != "" {
		return nil, errors.New(reason)
	}
	m, err := l.takeTurns(contenders{{name: ours, call: func(context.Context) error {
		_, err := checked.Parse(flatArguments)
		return err
	}}})
	if err != nil {
		return nil, err
	}
	return []figure{{name: "arguments-10-properties", value: median(m[ours]) * 1e6, unit: "µs", bound: argumentsMicros}}, nil
}

// captures are where tools of public servers lie, from the root of the module.
const captures = "../shared/corpus"

// corpus converts the schemas of all captured tools for each profile. Without
// the captures it has no figures.
func corpus(l *lab) ([]figure, error) {
	schemas, err := capturedSchemas()
	if err != nil || len(schemas) == 0 {
		return nil, err
	}
	var figures []figure
	for _, p := range schema.Profiles() {
		var seconds []float64
		for range l.pace.few {
			began := time.Now()
			for _, raw := range schemas {
				schema.Parameters(raw, p)
			}
			seconds = append(seconds, time.Since(began).Seconds())
		}
		figures = append(figures, figure{
			name: "corpus-" + p.String(), value: median(seconds), unit: "s", bound: corpusSeconds,
			note: fmt.Sprintf("%d tools", len(schemas)),
		})
	}
	return figures, nil
}

func capturedSchemas() ([]json.RawMessage, error) {
	dir, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, captures, "*.json"))
	if err != nil {
		return nil, err
	}
	var schemas []json.RawMessage
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var capture struct {
			Tools []struct{ InputSchema json.RawMessage }
		}
		if err := json.Unmarshal(raw, &capture); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, t := range capture.Tools {
			schemas = append(schemas, t.InputSchema)
		}
	}
	return schemas, nil
}

// moduleRoot is the directory above the working one that has the go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, gone := os.Stat(filepath.Join(dir, "go.mod")); gone == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", errors.New("run it within the module")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
