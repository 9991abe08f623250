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
// Documents and endpoints that servers name must be https; http is for servers
// on loopback only. Redirects of documents stay on their host, other requests
// follow none. A public server cannot name an address inside of this network
// by its number or as localhost; one that a name leads to is for Config.Base
// to refuse, where that matters. All answers are bounded in size and time.
//
// # Waiting
//
// One authorization serves all requests that wait. It does not end with the
// request that began it: limits of a toolset are often shorter than a user
// takes to sign in, so a call may fail and a later one find the token. Where a
// program starts with a user before it, give the config a ConnectTimeout that
// a user can meet.
package oauth
