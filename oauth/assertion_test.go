package oauth_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

// signed reports whether form has an assertion of c that an authorization
// server may take (RFC 7523, section 3).
func (i *issuer) signed(c *client, id string, form url.Values) bool {
	if form.Get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" || form.Has("client_secret") {
		return false
	}
	parts := strings.Split(form.Get("client_assertion"), ".")
	if len(parts) != 3 {
		return false
	}
	var header struct{ Alg, Typ, Kid string }
	var claims struct {
		Iss, Sub, Aud, Jti string
		Iat, Exp           int64
	}
	for n, v := range []any{&header, &claims} {
		raw, err := base64.RawURLEncoding.DecodeString(parts[n])
		if err != nil || json.Unmarshal(raw, v) != nil {
			return false
		}
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	now := time.Now()
	fresh := !i.jtis[claims.Jti] && claims.Jti != ""
	i.jtis[claims.Jti] = true
	return err == nil && fresh && header.Alg == c.algorithm && header.Typ == "JWT" && header.Kid == c.kid &&
		claims.Iss == id && claims.Sub == id && claims.Aud == i.URL &&
		claims.Iat <= now.Unix() && claims.Exp > now.Unix() && claims.Exp <= now.Add(5*time.Minute).Unix() &&
		verified(c.key, header.Alg, parts[0]+"."+parts[1], signature)
}

// verified checks a signature as JWS has it (RFC 7518, section 3; RFC 8037).
func verified(key crypto.PublicKey, algorithm, text string, signature []byte) bool {
	hash := map[string]crypto.Hash{"ES256": crypto.SHA256, "ES384": crypto.SHA384, "ES512": crypto.SHA512, "RS256": crypto.SHA256, "PS256": crypto.SHA256}[algorithm]
	digest := []byte(text)
	if hash != 0 {
		h := hash.New()
		h.Write(digest)
		digest = h.Sum(nil)
	}
	switch key := key.(type) {
	case *ecdsa.PublicKey:
		size := map[string]int{"ES256": 32, "ES384": 48, "ES512": 66}[algorithm]
		return len(signature) == 2*size &&
			ecdsa.Verify(key, digest, new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:]))
	case *rsa.PublicKey:
		if algorithm == "PS256" {
			return rsa.VerifyPSS(key, hash, digest, signature, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}) == nil
		}
		return rsa.VerifyPKCS1v15(key, hash, digest, signature) == nil
	case ed25519.PublicKey:
		return ed25519.Verify(key, digest, signature)
	}
	return false
}

func curveKey(t *testing.T, curve elliptic.Curve) crypto.Signer {
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	require.NoError(t, err)
	return key
}

func signers(t *testing.T) map[string]crypto.Signer {
	t.Helper()
	ofRSA, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	return map[string]crypto.Signer{
		"ES256": curveKey(t, elliptic.P256()), "ES384": curveKey(t, elliptic.P384()), "ES512": curveKey(t, elliptic.P521()),
		"RS256": ofRSA, "PS256": ofRSA, "EdDSA": edwards,
	}
}

func TestAClientShowsItsKeyByAnAssertion(t *testing.T) {
	t.Parallel()
	for algorithm, key := range signers(t) {
		for _, kid := range []string{"", "key-1"} {
			t.Run(algorithm+" "+kid, func(t *testing.T) {
				t.Parallel()
				i := newIssuer(t)
				i.clients["me"] = &client{method: "private_key_jwt", key: key.Public(), algorithm: algorithm, kid: kid}
				d := newDesk(t, i)
				named := oauth.PrivateKey{Signer: key, KeyID: kid}
				if algorithm == "PS256" { // of an RSA key RS256 is the default
					named.Algorithm = algorithm
				}
				tr := newTransport(t, oauth.Config{ServerURL: d.url(), ClientCredentials: &oauth.ClientCredentials{Client: oauth.Client{Issuer: i.URL, ID: "me", Key: &named}}})
				ts := newToolset(t, d, tr)
				for range 20 { // an ECDSA signature's numbers are short now and then
					_, err := call(t, ts, "read")
					require.NoError(t, err)
					i.revoke()
				}
				assert.Equal(t, 20, i.count("client_credentials"))
				assert.NotContains(t, fmt.Sprintf("%v %+v %#v %#v", named, &named, named, tr), "Signer")
			})
		}
	}
}

func TestAnAssertionOfAnotherKeyIsRefused(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	i.clients["me"] = &client{method: "private_key_jwt", key: curveKey(t, elliptic.P256()).Public(), algorithm: "ES256"}
	d := newDesk(t, i)
	tr := newTransport(t, oauth.Config{ServerURL: d.url(), ClientCredentials: &oauth.ClientCredentials{
		Client: oauth.Client{Issuer: i.URL, ID: "me", Key: &oauth.PrivateKey{Signer: curveKey(t, elliptic.P256())}}}})
	_, err := call(t, newToolset(t, d, tr), "read")
	var failed *oauth.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, "token", failed.Step)
	assert.Equal(t, "invalid_client", failed.Code)
}
