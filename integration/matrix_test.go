package integration

import (
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// versions are the revisions of the protocol, from the oldest on.
var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// speech is what a server speaks and a client asks for.
type speech struct {
	name   string
	only   string // the one version the server speaks; empty is all
	pinned string // what the client is configured to; empty is nothing
	agreed string // what comes of it
}

// speeches are those of the contract. What else may be pinned is in
// TestMatrix_APinnedVersionIsSpoken.
func speeches() []speech {
	all := []speech{
		{name: "newest", agreed: "2026-07-28"},
		{name: "2025-11-25", pinned: "2025-11-25", agreed: "2025-11-25"},
	}
	for _, v := range versions {
		all = append(all, speech{name: "only " + v, only: v, agreed: v})
	}
	return all
}

func TestMatrix_KnowsEveryVersion(t *testing.T) {
	t.Parallel()
	known := slices.Clone(mcp.ValidProtocolVersions)
	slices.Sort(known)
	assert.Equal(t, known, versions, "mcp-go has learnt one")
}

func TestMatrix_APinnedVersionIsSpoken(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		for _, v := range versions {
			for who, only := range map[string]string{"a server of all versions": "", "a server of this one": v} {
				t.Run(strings.ReplaceAll(k.name+" "+v+" "+who, " ", "_"), func(t *testing.T) {
					t.Parallel()
					b, _ := k.open(t, only)
					ts := open(t, b.ProtocolVersion(v))
					speaks(t, ts)
					info, err := ts.ServerInfo(t.Context())
					require.NoError(t, err)
					assert.Equal(t, v, info.ProtocolVersion)
					assert.JSONEq(t, `{"id":9007199254740993}`, call(t, ts, "echo", `{"id":9007199254740993}`))
				})
			}
		}
	}
}

// Who pins a version is not connected to a server that speaks another, and is
// told why.
func TestMatrix_VersionsThatDoNotMeet(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		for i := range versions[1:] {
			older, newer := versions[i], versions[i+1]
			for _, s := range []speech{{pinned: older, only: newer}, {pinned: newer, only: older}} {
				t.Run(strings.ReplaceAll(k.name+" "+s.pinned+" and "+s.only, " ", "_"), func(t *testing.T) {
					t.Parallel()
					b, _ := k.open(t, s.only)
					err := open(t, b.ProtocolVersion(s.pinned)).Connect(t.Context())
					var failed *toolset.Error
					require.ErrorAs(t, err, &failed)
					assert.Equal(t, toolset.StageConnect, failed.Stage)
					if s.only == "2026-07-28" {
						assert.ErrorContains(t, err, "initialize is not known", "the server's own words")
						return
					}
					assert.ErrorContains(t, err, "speaks protocol version "+s.only+", not the pinned "+s.pinned)
				})
			}
		}
	}
}
