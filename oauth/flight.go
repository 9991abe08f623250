package oauth

import (
	"context"
	"errors"
	"time"
)

// need is what a request lacks.
type need struct {
	challenge challenge
	used      *grant // the token that does not do, nil for none
	more      bool   // it does, but for its scopes
	afresh    bool   // refreshing it did not help
	quiet     bool   // no user is to be asked
	explicit  bool   // the user is to be asked even during a rest
}

// metBy reports whether g is another token than the one that does not do, with
// the scopes that are asked for.
func (n *need) metBy(g *grant) bool {
	return g != nil && (n.used == nil || g.Access != n.used.Access) && within(n.challenge.scopes, g.Scopes)
}

// flight is an authorization under way. All who need a token wait for it.
type flight struct {
	done  chan struct{}
	quiet bool // no user is asked
	token *grant
	err   error
}

// fails reports whether the flight's error is one for who waited with n, and
// did not begin it.
func (f *flight) fails(n *need) bool {
	switch {
	case f.quiet && !n.quiet: // a user may be asked
	case n.explicit && isResting(f.err): // it ended the rest
	default:
		return true
	}
	return false
}

// renew returns a token that meets n, waiting for an authorization that is
// under way or starting one. It waits with ctx, but the authorization goes on
// when ctx ends: the user may be about to give leave, and who comes next finds
// the token.
func (t *Transport) renew(ctx context.Context, n need) (*grant, error) {
	for {
		t.mu.Lock()
		if t.closed {
			t.mu.Unlock()
			return nil, errClosed
		}
		if n.metBy(t.token) && !t.token.expired(time.Now()) {
			token := t.token
			t.mu.Unlock()
			return token, nil
		}
		f, mine := t.flight, false
		if f == nil {
			f, mine = t.depart(n), true
		}
		t.mu.Unlock()
		if n.quiet && !f.quiet {
			return nil, errQuiet // who has a token does not wait for a user
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case f.err != nil && t.life.Err() != nil:
			return nil, errClosed
		case f.err != nil && (mine || f.fails(&n)):
			return nil, f.err
		case f.err == nil && (mine || n.metBy(f.token)):
			return f.token, nil
		}
	}
}

// depart starts an authorization. t.mu is held.
func (t *Transport) depart(n need) *flight {
	f := &flight{done: make(chan struct{}), quiet: n.quiet}
	t.flight = f
	limit := t.config.UserTimeout
	if n.quiet {
		limit = t.config.RequestTimeout
	}
	t.wg.Go(func() {
		ctx, cancel := context.WithTimeout(t.life, limit)
		defer cancel()
		token, p, err := t.obtain(ctx, n)
		t.mu.Lock()
		defer t.mu.Unlock()
		f.token, f.err = token, err
		if err == nil {
			t.token, t.place = token, p
		}
		t.flight = nil
		close(f.done)
	})
	return f
}

// errQuiet is that a token cannot be renewed without the user.
var errQuiet = errors.New("the user has to be asked")

// obtain gets a token that meets n: from the store where another Transport put
// one there, by refreshing, by the user's leave.
func (t *Transport) obtain(ctx context.Context, n need) (*grant, *place, error) {
	p, err := t.whereabouts(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	key := grantKey(p.server.Issuer, p.resource)
	if locker, ok := t.config.Store.(Locker); ok {
		unlock, err := locker.Lock(ctx, key)
		if err != nil {
			return nil, nil, fail("store", err)
		}
		defer unlock()
	}
	kept, err := t.kept(ctx, key, p)
	if err != nil {
		return nil, nil, err
	}
	if n.metBy(kept) && !kept.stale(time.Now()) {
		return kept, p, nil
	}
	fresh, err := t.fresh(ctx, n, p, kept)
	if err != nil {
		return nil, nil, err
	}
	if err := t.save(ctx, key, fresh); err != nil {
		// The old token may be spent. This one serves as long as t does.
		t.config.Logger.Warn("oauth: the token is not kept", "error", err)
	}
	return fresh, p, nil
}

// whereabouts is where the token is asked for. A refusal has the server asked
// anew, since its authorization server may have changed.
func (t *Transport) whereabouts(ctx context.Context, n need) (*place, error) {
	t.mu.Lock()
	p := t.place
	t.mu.Unlock()
	if n.quiet && p != nil {
		return p, nil
	}
	return t.discover(ctx, n.challenge)
}

// kept is the token that the store has for p, or t itself if that is newer,
// since it could not be saved. It is nil where there is none of this issuer,
// resource and, where it is configured, client.
func (t *Transport) kept(ctx context.Context, key string, p *place) (*grant, error) {
	var g grant
	if err := t.load(ctx, key, &g); err != nil {
		return nil, err
	}
	t.mu.Lock()
	own := t.token
	t.mu.Unlock()
	switch {
	case own != nil && t.suits(own, p) && (!t.suits(&g, p) || own.Issued.After(g.Issued)):
		return own, nil
	case t.suits(&g, p):
		return &g, nil
	}
	return nil, nil
}

func (t *Transport) suits(g *grant, p *place) bool {
	c := t.registered()
	return isToken(g.Access) && g.Issuer == p.server.Issuer && g.Resource == p.resource && (c == nil || c.ID == g.ClientID)
}

// fresh gets a new token in the place of the one that is kept, nil for none.
func (t *Transport) fresh(ctx context.Context, n need, p *place, kept *grant) (*grant, error) {
	var before []string
	if kept != nil {
		before = kept.Scopes
	}
	if t.config.ClientCredentials != nil {
		c, err := t.identify(ctx, &p.server, "")
		if err != nil {
			return nil, err
		}
		return t.ownToken(ctx, p, &c, t.wanted(p, n.challenge.scopes, before, false))
	}
	if kept != nil && kept.Refresh != "" && !n.afresh && !n.more && within(n.challenge.scopes, before) {
		g, err := t.refreshed(ctx, p, kept)
		var failed *Error
		if err == nil || errors.As(err, &failed) && failed.Code == "" && failed.Step != "registration" {
			return g, err // it did not fail for the token
		}
		t.config.Logger.Info("oauth: the token was not refreshed", "issuer", p.server.Issuer, "error", err)
	}
	if n.quiet {
		return nil, errQuiet
	}
	if err := t.rested(); err != nil && !n.explicit {
		return nil, err
	}
	return t.authorize(ctx, p, n.challenge.scopes, before)
}

func (t *Transport) refreshed(ctx context.Context, p *place, kept *grant) (*grant, error) {
	c, err := t.identify(ctx, &p.server, "")
	if err != nil {
		return nil, err
	}
	if c.ID != kept.ClientID {
		return nil, failf("registration", "the token was given to another client")
	}
	g, err := t.refresh(ctx, p, &c, kept)
	if unknownClient(err) {
		t.disown(ctx, &c)
	}
	return g, err
}
