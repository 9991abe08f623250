package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheSuitesListsAreRead(t *testing.T) {
	t.Parallel()
	text := "Required for 2025-11-25:\n\nServer scenarios (test against a server):\n  - ping\n\n" +
		"Client scenarios (test against a client):\n  - initialize\n  - auth/iss [2025-11-25,2026-07-28]\n\nRun and reported:\n  - more\n"
	assert.Equal(t, []string{"initialize", "auth/iss [2025-11-25,2026-07-28]"}, clientSection(text))
	assert.Empty(t, clientSection("nothing"))
}

func TestWhatCountsAsPassed(t *testing.T) {
	t.Parallel()
	success, failure := check{ID: "a", Status: "SUCCESS"}, check{ID: "b", Status: "FAILURE", ErrorMessage: "wrong"}
	warning, skipped := check{ID: "c", Status: "WARNING"}, check{ID: "d", Status: "SKIPPED"}
	for name, c := range map[string]struct {
		checks []check
		failed error
		green  bool
	}{
		"all well":                      {[]check{success, skipped}, nil, true},
		"a failure":                     {[]check{success, failure}, errors.New("exit status 1"), false},
		"a warning":                     {[]check{success, warning}, nil, false},
		"no check":                      {nil, nil, false},
		"only skipped checks":           {[]check{skipped}, nil, false},
		"checks are well, the run not":  {[]check{success}, errors.New("exit status 1"), false},
		"nothing but that the run ends": {nil, errors.New("exit status 1"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judge(job{"s", "v"}, c.checks, c.failed, "")
			assert.Equal(t, c.green, o.green(), "%v", o.faults)
		})
	}
}

func TestAScenarioKnownToFailHasToFail(t *testing.T) {
	t.Parallel()
	known := expected{{"red", "v"}: "because"}
	red, green := []string{"fault"}, []string(nil)
	for _, c := range []struct {
		scenario string
		faults   []string
		ok       bool
	}{{"red", red, true}, {"red", green, false}, {"other", green, true}, {"other", red, false}} {
		o := outcome{job: job{c.scenario, "v"}, passed: 1, faults: c.faults}
		var text strings.Builder
		assert.Equal(t, c.ok, report(&text, []outcome{o}, known), "%s, faults %v", c.scenario, c.faults)
		assert.Contains(t, text.String(), c.scenario)
	}
	assert.Equal(t, []string{"red v"}, known.unknown([]job{{"red", "w"}}))
}

func TestTheListOfTheRedIsChecked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "expected.txt")
	require.NoError(t, os.WriteFile(path, []byte("# comment\n\nauth/x 2026-07-28 not yet\n"), 0o600))
	known, err := readExpected(path)
	require.NoError(t, err)
	assert.Equal(t, expected{{"auth/x", "2026-07-28"}: "not yet"}, known)

	require.NoError(t, os.WriteFile(path, []byte("auth/x 2026-07-28\n"), 0o600))
	_, err = readExpected(path)
	assert.ErrorContains(t, err, "reason")

	_, err = readExpected("expected.txt")
	assert.NoError(t, err)
}

func TestTheTableTellsOfEachScenario(t *testing.T) {
	t.Parallel()
	text := markdown([]outcome{{job: job{"s", "v"}, passed: 3}, {job: job{"r", "v"}, failed: 1, faults: []string{"wrong"}}}, expected{{"r", "v"}: "not yet"})
	for _, want := range []string{"| s | v | 3 | 0 | 0 | passes |\n", "| r | v | 0 | 1 | 0 | known to fail: not yet |\n", "- v: 1 of 2 pass\n"} {
		assert.Contains(t, text, want)
	}
}
