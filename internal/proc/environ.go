package proc

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// handedOn are the variables of the parent that a child gets unasked: what
// programs need to find files, speak the user's language and reach the network.
var handedOn = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TMPDIR", "TZ",

	// Proxies, which programs read in either case.
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
	"http_proxy", "https_proxy", "all_proxy", "no_proxy",

	// Certificate authorities: Go and OpenSSL, Node, Python, curl, git, AWS, pip, Deno.
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
	"GIT_SSL_CAINFO", "AWS_CA_BUNDLE", "PIP_CERT", "DENO_CERT",
}

// handedOnWindows are those that Windows programs need besides.
var handedOnWindows = []string{"SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PATHEXT", "TEMP"}

// Environ is the environment a child of s starts with, as NAME=value sorted by
// name, each name once.
//
// By default it holds, of the parent's variables, only PATH, HOME, USER, LOGNAME,
// SHELL, TERM, LANG, those that begin with LC_, TMPDIR, TZ, the proxy variables
// (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in capitals or not) and those
// that name certificate authorities (SSL_CERT_FILE, SSL_CERT_DIR,
// NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE, GIT_SSL_CAINFO,
// AWS_CA_BUNDLE, PIP_CERT, DENO_CERT); on Windows also SYSTEMROOT, APPDATA,
// LOCALAPPDATA, USERPROFILE, PATHEXT and TEMP. With s.Inherit it holds all of
// them. Then s.Env is added and wins.
//
// On Windows names are compared without regard to case; of two names in s.Env
// that differ only in case the last in byte order wins. The result is never nil.
func Environ(s Spec) []string {
	return environ(s, os.Environ(), runtime.GOOS == "windows")
}

func environ(s Spec, parent []string, windows bool) []string {
	vars := envSet{fold: windows, byKey: make(map[string]string)}
	for _, entry := range parent {
		name, ok := entryName(entry)
		if !ok || vars.has(name) { // of two equal names the first counts, as in os.Getenv
			continue
		}
		if s.Inherit || isHandedOn(name, windows) {
			vars.set(name, entry[len(name)+1:])
		}
	}
	for _, name := range s.envNames() {
		vars.set(name, s.Env[name])
	}
	return vars.list()
}

// entryName is the name in NAME=value. Windows has names that begin with "=".
func entryName(entry string) (string, bool) {
	if entry == "" {
		return "", false
	}
	i := strings.IndexByte(entry[1:], '=')
	if i < 0 {
		return "", false
	}
	return entry[:i+1], true
}

func isHandedOn(name string, windows bool) bool {
	if !windows {
		return strings.HasPrefix(name, "LC_") || slices.Contains(handedOn, name)
	}
	upper := strings.ToUpper(name)
	return strings.HasPrefix(upper, "LC_") || slices.Contains(handedOn, upper) || slices.Contains(handedOnWindows, upper)
}

// envSet holds variables by name, without regard to case where fold says so.
type envSet struct {
	fold  bool
	byKey map[string]string // key -> NAME=value
}

func (e envSet) key(name string) string {
	if e.fold {
		return strings.ToUpper(name)
	}
	return name
}

func (e envSet) has(name string) bool { _, ok := e.byKey[e.key(name)]; return ok }

func (e envSet) set(name, value string) { e.byKey[e.key(name)] = name + "=" + value }

func (e envSet) list() []string {
	keys := make([]string, 0, len(e.byKey))
	for key := range e.byKey {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	// Never nil: os/exec takes nil for "the parent's whole environment".
	entries := make([]string, 0, len(keys))
	for _, key := range keys {
		entries = append(entries, e.byKey[key])
	}
	return entries
}

// lookupEnv is the value of a variable in an environment made by Environ.
func lookupEnv(env []string, name string, windows bool) string {
	for _, entry := range env {
		key, _ := entryName(entry)
		if key == name || windows && strings.EqualFold(key, name) {
			return entry[len(key)+1:]
		}
	}
	return ""
}
