package proc

import (
	"bufio"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestF11_OnlyNamedVariablesAreHandedOn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spec    Spec
		parent  []string
		windows bool
		want    []string
	}{
		"named ones pass, secrets do not": {
			parent: []string{"PATH=/bin", "AWS_SECRET_ACCESS_KEY=x", "HOME=/h", "USER=u", "LOGNAME=l", "SHELL=/bin/sh", "TERM=xterm", "LANG=C", "TMPDIR=/t", "TZ=UTC", "OPENAI_API_KEY=x", "LD_PRELOAD=x"},
			want:   []string{"HOME=/h", "LANG=C", "LOGNAME=l", "PATH=/bin", "SHELL=/bin/sh", "TERM=xterm", "TMPDIR=/t", "TZ=UTC", "USER=u"},
		},
		"all of LC_": {
			parent: []string{"LC_ALL=a", "LC_CTYPE=b", "LC_=c", "LCX=d", "XLC_ALL=e"},
			want:   []string{"LC_=c", "LC_ALL=a", "LC_CTYPE=b"},
		},
		"proxies in both cases": {
			parent: []string{"HTTP_PROXY=1", "http_proxy=2", "HTTPS_PROXY=3", "https_proxy=4", "NO_PROXY=5", "no_proxy=6", "ALL_PROXY=7", "all_proxy=8", "Http_Proxy=9"},
			want:   []string{"ALL_PROXY=7", "HTTPS_PROXY=3", "HTTP_PROXY=1", "NO_PROXY=5", "all_proxy=8", "http_proxy=2", "https_proxy=4", "no_proxy=6"},
		},
		"certificate authorities": {
			parent: []string{"SSL_CERT_FILE=1", "SSL_CERT_DIR=2", "NODE_EXTRA_CA_CERTS=3", "REQUESTS_CA_BUNDLE=4", "CURL_CA_BUNDLE=5", "SSL_KEY_FILE=x"},
			want:   []string{"CURL_CA_BUNDLE=5", "NODE_EXTRA_CA_CERTS=3", "REQUESTS_CA_BUNDLE=4", "SSL_CERT_DIR=2", "SSL_CERT_FILE=1"},
		},
		"names differ by case on unix": {
			parent: []string{"Path=/x", "path=/y"},
			want:   []string{},
		},
		"the config wins, once": {
			spec:   Spec{Env: map[string]string{"PATH": "/mine", "A": "1", "EMPTY": ""}},
			parent: []string{"PATH=/bin", "A=0", "HOME=/h"},
			want:   []string{"A=1", "EMPTY=", "HOME=/h", "PATH=/mine"},
		},
		"a value may hold anything": {
			spec:   Spec{Env: map[string]string{"Q": "a=b=c\nd \"e\" é"}},
			parent: []string{"HOME==x=", "LANG="},
			want:   []string{"HOME==x=", "LANG=", "Q=a=b=c\nd \"e\" é"},
		},
		"inherit takes everything": {
			spec:   Spec{Inherit: true, Env: map[string]string{"B": "2"}},
			parent: []string{"SECRET=x", "B=1", "PATH=/bin", "BASH_FUNC_f%%=() { :; }"},
			want:   []string{"B=2", "BASH_FUNC_f%%=() { :; }", "PATH=/bin", "SECRET=x"},
		},
		"of equal names the first counts, broken entries are left out": {
			spec:   Spec{Inherit: true},
			parent: []string{"A=1", "A=2", "NOVALUE", "", "=oops"},
			want:   []string{"A=1"},
		},
		"nothing at all is not nil": {
			want: []string{},
		},
		"unix does not hand on what Windows needs": {
			parent: []string{"SYSTEMROOT=x", "APPDATA=x", "TEMP=x", "PATHEXT=x"},
			want:   []string{},
		},
		"windows compares without case": {
			spec:    Spec{Env: map[string]string{"path": `C:\mine`}},
			parent:  []string{`Path=C:\Windows`, `SystemRoot=C:\Windows`, "AppData=a", "LocalAppData=l", "UserProfile=u", "PathExt=.EXE", "Temp=t", "Secret=x", "Http_Proxy=p", "lc_all=C", "ComSpec=x"},
			windows: true,
			want:    []string{"AppData=a", "Http_Proxy=p", "lc_all=C", "LocalAppData=l", `path=C:\mine`, "PathExt=.EXE", `SystemRoot=C:\Windows`, "Temp=t", "UserProfile=u"},
		},
		"windows has names that begin with =": {
			spec:    Spec{Inherit: true},
			parent:  []string{`=C:=C:\dir`, "A=1"},
			windows: true,
			want:    []string{`=C:=C:\dir`, "A=1"},
		},
		"windows: of two spellings in the config the last wins": {
			spec:    Spec{Env: map[string]string{"KEY": "1", "Key": "2", "key": "3"}},
			windows: true,
			want:    []string{"key=3"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, environ(tt.spec, tt.parent, tt.windows))
		})
	}
}

func TestF11_AlwaysSortedUniqueAndTheConfigWins(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]{0,6}`)
		spec := Spec{Inherit: rapid.Bool().Draw(t, "inherit"), Env: rapid.MapOf(name, rapid.String()).Draw(t, "env")}
		parent := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string {
			return name.Draw(t, "name") + "=" + rapid.String().Draw(t, "value")
		}))).Draw(t, "parent")

		got := environ(spec, parent, false)

		var names []string
		for _, entry := range got {
			key, ok := entryName(entry)
			require.True(t, ok, "%q", entry)
			names = append(names, key)
		}
		require.True(t, slices.IsSorted(names))
		require.Len(t, slices.Compact(slices.Clone(names)), len(names))
		for key, value := range spec.Env {
			require.Contains(t, got, key+"="+value)
		}
		require.Equal(t, got, environ(spec, parent, false))
	})
}

func TestO73_ChildSeesPathAndConfig(t *testing.T) {
	t.Setenv("PROC_TEST_SECRET", "tok-123")
	t.Setenv("PROC_TEST_DUP", "parent")
	t.Setenv("LC_TIME", "C")
	for _, inherit := range []bool{false, true} {
		t.Run(fmt.Sprintf("inherit %v", inherit), func(t *testing.T) {
			s := childSpec(t, "environ")
			s.Inherit = inherit
			s.Env["A"], s.Env["PROC_TEST_DUP"] = "1", "config"
			p := startSpec(t, defaultLimits, s)

			var entries []string
			for lines := bufio.NewScanner(p.Stdout()); lines.Scan(); {
				entries = append(entries, lines.Text())
			}
			if runtime.GOOS != "windows" { // where the system itself adds some
				assert.Equal(t, Environ(s), entries, "the child gets exactly this")
			}
			assert.Contains(t, entries, "A=1")
			assert.Contains(t, entries, "LC_TIME=C")
			assert.Contains(t, entries, "PROC_TEST_DUP=config")
			assert.True(t, slices.ContainsFunc(entries, func(e string) bool { return len(e) > 5 && strings.EqualFold(e[:5], "PATH=") }))
			assert.Equal(t, inherit, slices.Contains(entries, "PROC_TEST_SECRET=tok-123"))
		})
	}
}
