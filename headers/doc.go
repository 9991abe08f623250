// Package headers has ready-made header providers for a toolset: fixed
// headers, those of the caller's context, and tokens from an
// [golang.org/x/oauth2.TokenSource].
//
// A provider is asked once for each listing, call or read and once more after
// a refusal with status 401 or 403. What it answers lies over the headers of
// the configuration:
//
//	ts, err := toolset.New(cfg,
//		toolset.WithHeaderProvider(headers.Join(headers.FromContext, headers.Bearer(source))))
//
// Before protocol version 2026-07-28 other headers mean another session of
// their own. Where tokens are renewed, toolset.WithIdentity keeps the session:
// it names the user, who stays the same.
package headers
