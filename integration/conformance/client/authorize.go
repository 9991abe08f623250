package main

import (
	"context"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/http"

	"github.com/mcptoolset/mcptoolset/oauth"
)

const (
	// redirectURL is where the user comes back to. Nobody listens there: the
	// user of this client only looks where the page would lead.
	redirectURL = "http://127.0.0.1:3000/callback"
	// metadataURL is the client id metadata document that the suite knows.
	metadataURL = "https://conformance-test.local/client-metadata.json"
)

// authorization is what the client does where a server wants one. A program
// with credentials of its own acts for itself, a client that the server's
// operator has registered and any other acts for a user.
func (s scenario) authorization() (*oauth.Transport, error) {
	c := oauth.Config{ServerURL: s.url}
	client := oauth.Client{Issuer: s.given.Issuer, ID: s.given.ClientID, Secret: s.given.ClientSecret}
	own := s.given.PrivateKey != "" || s.given.ClientSecret != "" && s.given.Issuer == ""
	if !own {
		c.AuthorizationCode = &oauth.AuthorizationCode{
			ClientIDMetadataURL: metadataURL,
			Registration:        &oauth.Registration{ClientName: "conformance client"},
			RedirectURL:         redirectURL,
			Prompt:              oauth.Prompt(visit),
		}
		if s.given.Issuer != "" && s.given.ClientID != "" {
			c.AuthorizationCode.Client = &client
		}
		return oauth.NewTransport(c)
	}
	client.Issuer = oauth.AnyIssuer
	if s.given.PrivateKey != "" {
		signer, err := signerOf(s.given.PrivateKey)
		if err != nil {
			return nil, err
		}
		client.Key = &oauth.PrivateKey{Signer: signer, Algorithm: s.given.Algorithm}
	}
	c.ClientCredentials = &oauth.ClientCredentials{Client: client}
	return oauth.NewTransport(c)
}

// visit is a user who agrees at once.
func visit(ctx context.Context, page string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		return "", err
	}
	return back.String(), nil
}

func signerOf(text string) (crypto.Signer, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("the private key is no PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, errors.New("the private key cannot sign")
	}
	return signer, nil
}
