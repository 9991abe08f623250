// Package oauth lets a toolset use MCP servers that want authorization: a user
// gives leave in a browser, or the program has credentials of its own. It is
// switched on by the HTTP client of a config:
//
//	auth, err := oauth.NewTransport(oauth.Config{
//		ServerURL: url,
//		AuthorizationCode: &oauth.AuthorizationCode{
//			Registration: &oauth.Registration{ClientName: "My program"},
//			Prompt:       &oauth.Loopback{},
//		},
//	})
//	...
//	defer auth.Close()
//	cfg, err := config.NewStreamableHTTP(url).HTTPClient(auth.Client()).Build()
//
// It follows the MCP specification, 2025-11-25 and 2026-07-28, section
// basic/authorization, with the RFCs named there.
//
// The code is our own on golang.org/x/oauth2 because what others have keeps no
// rotated refresh tokens, registrations or issuers between runs, has no one
// authorization for many waiting requests, and brings a second MCP library.
//
// # What goes where
//
// A token is bound to the issuer it came from and the resource it is for. It
// is sent to the scheme, host and port of Config.ServerURL, also after a
// redirect, and nowhere else. A request with an Authorization header of its
// own, from a config or a header provider, is left alone.
//
// # Waiting
//
// One authorization serves all requests that wait. It does not end with the
// request that began it: limits of a toolset are often shorter than a user
// takes to sign in, so a call may fail and a later one find the token. A
// program with a user before it calls [Transport.Authorize] first, which no
// limit of a toolset bounds.
//
// A user who said no, or did not come back, is left in peace for a while
// (Config.UserRest), so that an agent's next calls do not open the browser
// again and again. They fail with the same [Error.Code] and are text for the
// model.
//
// # Rules that are held
//
// The rules for clients of basic/authorization and its security considerations
// (MCP 2025-11-25 and 2026-07-28), and where each is held:
//
//   - Tokens are bound to an audience: resource, the server's canonical URI, is
//     in every authorization and token request (authorize.go, token.go;
//     canonical in urls.go). Metadata about another resource are refused
//     (covers in urls.go).
//   - Tokens go to the server they are for, and only those of its issuer: the
//     origin is compared before each request (RoundTrip in transport.go), and
//     what is kept is found by issuer and resource (suits in flight.go). They
//     are sent in the header, never in a URL, with every request.
//   - Tokens are kept safely: memory, or a file for its owner alone that is
//     replaced as a whole (filestore.go). Nothing prints one (print.go); errors
//     repeat no word of a token endpoint but its error code (token.go). Refresh
//     tokens are used once at a time, over processes too, and the new one takes
//     the old one's place (flight.go, [Locker]).
//   - All URLs are https, but for servers on loopback (endpoint in urls.go). A
//     public server cannot name an address inside of this network by its number
//     or as localhost; a name that leads to one is for Config.Base to refuse,
//     where that matters. Documents are redirected on their host only, other
//     requests not at all; answers are bounded in size and time (fetch.go).
//   - PKCE with S256 always, and only where the server's metadata name it; a
//     server without any metadata is taken as MCP 2025-03-26 describes it
//     (authorize.go, discovery.go).
//   - No mix-up: the issuer in the metadata is the one they were fetched for,
//     and iss on the redirect is compared with it, character by character,
//     before the code is sent or an error is shown; it must be there where the
//     metadata promise it (discovery.go, codeOf in authorize.go). One lenience:
//     between the two documents a final slash of the issuer does not count,
//     because servers differ in it.
//   - state is made for each visit and compared first (authorize.go). The
//     loopback listener takes one answer, with that state (loopback.go).
//   - Redirect URLs are registered ones: https, loopback or an app's own
//     (config.go, identity.go). A client registers as native or web by them.
//   - Clients belong to the issuer that knows them: a configured client is used
//     with its own only, unless the owner says [AnyIssuer]; registrations are
//     kept by issuer and made anew for another (identity.go).
//   - Who the client is: a configured client, else its metadata document where
//     the server takes one, else a registration (identity.go).
//   - Scopes are those of the challenge, else of the resource's metadata, and on
//     a step-up those of before too; offline_access only where the server lists
//     it. Step-ups are counted, and one that asks for nothing new is not made
//     (token.go, transport.go).
//   - Discovery goes by the challenge, then by the well-known places in the
//     specification's order (discovery.go).
//
// Rules for MCP servers and authorization servers are not ours to hold. Of the
// extensions client credentials are built; tokens bound to a key (DPoP),
// tokens exchanged at an identity provider and workload assertions are not.
package oauth
