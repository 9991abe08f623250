package oauth_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

// move has the issuer's metadata served at one place only, for an issuer with
// that URL.
func (w *town) move(url, place string) {
	w.issuer.metadata["issuer"] = url
	w.issuer.iss = &url
	w.desk.prm["authorization_servers"] = []string{url}
	inner := w.hosts["login.example"]
	w.hosts["login.example"] = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.EscapedPath() == place:
			w.issuer.document(rw, r)
		case strings.Contains(r.URL.Path, "/.well-known/"):
			http.NotFound(rw, r)
		default:
			inner.ServeHTTP(rw, r)
		}
	})
}

// wellKnown are the requests for metadata at host, in order.
func (w *town) wellKnown(host string) []string {
	var found []string
	for _, line := range w.requests(host) {
		if strings.Contains(line, "/.well-known/") {
			found = append(found, strings.TrimPrefix(line, "GET https://"+host))
		}
	}
	return found
}

func TestTheIssuersMetadataIsLookedForInOrder(t *testing.T) {
	t.Parallel()
	const oauth2, openid = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	for name, c := range map[string]struct {
		issuer string
		places []string // the last one has it
	}{
		"OAuth":                         {townIssuer, []string{oauth2}},
		"OpenID":                        {townIssuer, []string{oauth2, openid}},
		"a lone slash":                  {townIssuer + "/", []string{oauth2, openid}},
		"OAuth, path inserted":          {townIssuer + "/tenant/1", []string{oauth2 + "/tenant/1"}},
		"OpenID, path inserted":         {townIssuer + "/tenant/1", []string{oauth2 + "/tenant/1", openid + "/tenant/1"}},
		"OpenID, path appended":         {townIssuer + "/tenant/1", []string{oauth2 + "/tenant/1", openid + "/tenant/1", "/tenant/1" + openid}},
		"a path that ends with a slash": {townIssuer + "/tenant/", []string{oauth2 + "/tenant"}},
		"a path with escapes":           {townIssuer + "/a%2Fb%20c", []string{oauth2 + "/a%2Fb%20c"}},
	} {
		t.Run(name, func(t *testing.T) {
			inTown(t, func(t *testing.T, w *town) {
				w.move(c.issuer, c.places[len(c.places)-1])
				require.NoError(t, say(t, newTransport(t, w.config()), w.desk.url(), "hello"))
				assert.Equal(t, c.places, w.wellKnown("login.example"))
			})
		})
	}
}

func TestTheServersMetadataIsLookedForInOrder(t *testing.T) {
	t.Parallel()
	const base = "/.well-known/oauth-protected-resource"
	for name, c := range map[string]struct {
		path, said string
		places     []string // the last one has it
	}{
		"where the refusal says":         {"/mcp", "/anywhere?it=is", []string{"/anywhere"}},
		"at the server's path":           {"/mcp", "", []string{base + "/mcp"}},
		"at the root":                    {"/mcp", "", []string{base + "/mcp", base}},
		"a deep path":                    {"/api/v1/mcp", "", []string{base + "/api/v1/mcp"}},
		"a path that ends with a slash":  {"/mcp/", "", []string{base + "/mcp"}},
		"a server at the root":           {"", "", []string{base}},
		"where the refusal says wrongly": {"/mcp", "/gone", []string{"/gone", base + "/mcp"}},
	} {
		t.Run(name, func(t *testing.T) {
			inTown(t, func(t *testing.T, w *town) {
				url := townServer + c.path
				w.issuer.resource = strings.TrimSuffix(url, "/")
				w.desk.prm["resource"] = w.issuer.resource
				w.desk.said = false
				var asked []string
				w.hosts["desk.example"] = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					path := r.URL.EscapedPath()
					switch {
					case path == c.path:
						if c.said != "" {
							rw.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+townServer+c.said+`"`)
						}
						w.desk.guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(&keepsHeader{rw, c.said != ""}, r)
					case path == c.places[len(c.places)-1]:
						asked = append(asked, path)
						w.desk.document(rw, r)
					default:
						asked = append(asked, path)
						http.NotFound(rw, r)
					}
				})
				config := w.config()
				config.ServerURL = url
				resp, err := newTransport(t, config).Client().Get(url)
				require.NoError(t, err)
				resp.Body.Close()
				assert.Equal(t, 200, resp.StatusCode)
				assert.Equal(t, c.places, asked)
			})
		})
	}
}

// keepsHeader keeps the challenge that was set first.
type keepsHeader struct {
	http.ResponseWriter
	keep bool
}

func (k *keepsHeader) Header() http.Header {
	if k.keep && len(k.ResponseWriter.Header()) > 0 {
		return http.Header{}
	}
	return k.ResponseWriter.Header()
}

func TestMetadataThatIsSlowRedirectedOrTooLarge(t *testing.T) {
	t.Parallel()
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	large := func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"issuer": strings.Repeat("x", 2<<20)})
	}
	deep := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat("[", 1<<19))) }
	const authority, resource = "/.well-known/oauth-authorization-server", prmPath
	for name, c := range map[string]struct {
		host, path string
		answer     http.HandlerFunc
		says       string // in the error; empty where there is none
	}{
		"a redirect at home":         {"login.example", authority, redirect("/elsewhere"), ""},
		"a redirect to another host": {"login.example", authority, redirect("https://evil.example/m"), "another host was refused"},
		"a redirect to http":         {"login.example", authority, redirect("http://login.example/m"), "another host was refused"},
		"a redirect to another port": {"desk.example", resource, redirect("https://desk.example:444/m"), "another host was refused"},
		"a redirect inside":          {"desk.example", resource, redirect("http://169.254.169.254/latest/meta-data"), "another host was refused"},
		"a redirect without end":     {"login.example", authority, redirect(authority), "too many redirects"},
		"a redirect of the token":    {"login.example", "/token", redirect("/elsewhere"), "only documents"},
		"a token's redirect with body": {"login.example", "/token", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/t", http.StatusTemporaryRedirect)
		}, "HTTP 307"},
		"a redirect of a registration": {"login.example", "/register", redirect("https://evil.example/r"), "only documents"},
		"a slow issuer":                {"login.example", authority, slow, "deadline"},
		"a slow server":                {"desk.example", resource, slow, "deadline"},
		"a slow token":                 {"login.example", "/token", slow, "deadline"},
		"a slow registration":          {"login.example", "/register", slow, "deadline"},
		"a large issuer":               {"login.example", authority, large, "larger than"},
		"a large server":               {"desk.example", resource, large, "larger than"},
		"a large token":                {"login.example", "/token", large, "larger than"},
		"a large registration":         {"login.example", "/register", large, "larger than"},
		"a deep issuer":                {"login.example", authority, deep, "not the JSON"},
		"a deep token":                 {"login.example", "/token", deep, "not the JSON"},
		"an issuer that fails":         {"login.example", authority, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, "HTTP 503"},
		"an issuer of HTML":            {"login.example", authority, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<p>welcome")) }, "not the JSON"},
		"a token of HTML":              {"login.example", "/token", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<p>welcome")) }, "not the JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			inTown(t, func(t *testing.T, w *town) {
				inner := w.hosts[c.host]
				w.hosts[c.host] = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					switch r.URL.Path {
					case c.path:
						c.answer(rw, r)
					case "/elsewhere":
						w.issuer.document(rw, r)
					default:
						inner.ServeHTTP(rw, r)
					}
				})
				config := w.config()
				config.RequestTimeout = 3 * time.Second
				began := time.Now()
				err := say(t, newTransport(t, config), w.desk.url(), "hello")
				if c.says == "" {
					require.NoError(t, err)
					return
				}
				var failed *oauth.Error
				require.ErrorAs(t, err, &failed)
				require.ErrorContains(t, err, c.says)
				assert.LessOrEqual(t, time.Since(began), 3*time.Second)
				assert.Empty(t, w.requests("evil.example"))
				assert.Empty(t, w.requests("169.254.169.254"))
				for _, secret := range w.issuer.minted {
					assert.NotContains(t, err.Error(), secret)
				}
			})
		})
	}
}

func TestAPublicServerCannotNameWhatIsInside(t *testing.T) {
	t.Parallel()
	hosts := []string{
		"127.0.0.1", "127.8.9.10:8443", "localhost", "LOCALHOST.", "app.localhost", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]",
		"10.0.0.1", "172.16.5.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "0.1.2.3", "192.0.0.8", "198.18.0.1", "240.0.0.1",
		"255.255.255.255", "224.0.0.1", "[fe80::1]", "[fc00::1]", "[fd12:3456::1]", "[fec0::1]", "[ff02::1]", "[::]",
		"[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fe80::1%25eth0]", "10.0.0.1.",
		"127.1", "2130706433", "0x7f.1", "0x7f000001", "017700000001", "0177.0.0.1", "127.0.0.0x1", "127.1.",
	}
	for _, host := range hosts {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			inside := "https://" + host
			for field, spoil := range map[string]func(*town){
				"resource_metadata":      func(w *town) { w.desk.URL = inside },
				"authorization_servers":  func(w *town) { w.desk.prm["authorization_servers"] = []string{inside} },
				"token_endpoint":         func(w *town) { w.issuer.metadata["token_endpoint"] = inside + "/token" },
				"authorization_endpoint": func(w *town) { w.issuer.metadata["authorization_endpoint"] = inside + "/authorize" },
				"registration_endpoint":  func(w *town) { w.issuer.metadata["registration_endpoint"] = inside + "/register" },
			} {
				w := newTown(t)
				spoil(w)
				c := w.config()
				c.ServerURL = townServer + "/mcp"
				err := say(t, newTransport(t, c), c.ServerURL, "hello")
				var failed *oauth.Error
				require.ErrorAs(t, err, &failed, field)
				assert.Equal(t, "discovery", failed.Step, field)
				for _, line := range w.seen {
					assert.NotContains(t, line, host, field)
				}
				assert.Zero(t, w.issuer.count("authorize"), field)
			}
		})
	}
}

func TestWhatIsNotInsideMayBeNamed(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"1.1.1.1", "[2606:4700::1111]", "4.example", "0x.example", "login.example:8443", "172.32.0.1", "fc00.example"} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			w := newTown(t)
			w.hosts[host] = w.hosts["login.example"]
			w.issuer.URL = "https://" + host
			w.issuer.describe()
			w.desk.describe()
			require.NoError(t, say(t, newTransport(t, w.config()), w.desk.url(), "hello"))
		})
	}
}

func TestAServerInsideMayNameWhatIsInside(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"10.0.0.2", "192.168.1.1:8443", "localhost:8443"} {
		w := newTown(t)
		w.hosts["10.0.0.1"], w.hosts[host] = w.hosts["desk.example"], w.hosts["login.example"]
		w.desk.URL, w.issuer.URL = "https://10.0.0.1", "https://"+host
		w.issuer.describe()
		w.desk.describe()
		require.NoError(t, say(t, newTransport(t, w.config()), w.desk.url(), "hello"), host)
	}
}
