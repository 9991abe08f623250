package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// assertionLife is how long an assertion is good for.
const assertionLife = 2 * time.Minute

// assertion signs that the client id is who it says, for the authorization
// server of that issuer alone (RFC 7523, section 3).
func (k *PrivateKey) assertion(id, issuer string, now time.Time) (string, error) {
	algorithm, err := k.algorithm()
	if err != nil {
		return "", err
	}
	header := map[string]string{"alg": algorithm, "typ": "JWT"}
	if k.KeyID != "" {
		header["kid"] = k.KeyID
	}
	claims := map[string]any{
		"iss": id, "sub": id, "aud": issuer, "jti": rand.Text(),
		"iat": now.Unix(), "exp": now.Add(assertionLife).Unix(),
	}
	signed := segment(header) + "." + segment(claims)
	signature, err := k.sign(algorithm, []byte(signed))
	if err != nil {
		return "", errors.New("the private key did not sign")
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

func segment(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

var errNoSigner = errors.New("a Signer is required")

// algorithm is the JWA algorithm (RFC 7518, section 3; RFC 8037) of the key.
func (k *PrivateKey) algorithm() (name string, err error) {
	defer func() { // a nil key, or one without numbers, is a Signer too
		if recover() != nil {
			name, err = "", errNoSigner
		}
	}()
	if k.Signer == nil {
		return "", errNoSigner
	}
	var fit []string
	switch public := k.Signer.Public().(type) {
	case *ecdsa.PublicKey:
		fit = map[int][]string{256: {"ES256"}, 384: {"ES384"}, 521: {"ES512"}}[public.Curve.Params().BitSize]
	case *rsa.PublicKey:
		fit = []string{"RS256", "PS256"}
	case ed25519.PublicKey:
		fit = []string{"EdDSA"}
	}
	for _, algorithm := range fit {
		if k.Algorithm == "" || k.Algorithm == algorithm {
			return algorithm, nil
		}
	}
	if len(fit) > 0 {
		return "", fmt.Errorf("the Algorithm does not fit the key, which is for %v", fit)
	}
	return "", errors.New("the Signer has a key of another kind than ECDSA, RSA and Ed25519")
}

func (k *PrivateKey) sign(algorithm string, text []byte) ([]byte, error) {
	hash := map[string]crypto.Hash{"ES384": crypto.SHA384, "ES512": crypto.SHA512, "EdDSA": 0}
	h, other := hash[algorithm]
	if !other {
		h = crypto.SHA256
	}
	digest := text
	if h != 0 {
		sum := h.New()
		sum.Write(text)
		digest = sum.Sum(nil)
	}
	var options crypto.SignerOpts = h
	if algorithm == "PS256" {
		options = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: h}
	}
	signature, err := k.Signer.Sign(rand.Reader, digest, options)
	if public, ok := k.Signer.Public().(*ecdsa.PublicKey); ok && err == nil {
		return joined(signature, (public.Curve.Params().BitSize+7)/8)
	}
	return signature, err
}

// joined is an ECDSA signature as JWS has it: the two numbers side by side
// (RFC 7518, section 3.4), instead of in ASN.1.
func joined(signature []byte, size int) ([]byte, error) {
	var numbers struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(signature, &numbers); err != nil {
		return nil, err
	}
	out := make([]byte, 2*size)
	numbers.R.FillBytes(out[:size])
	numbers.S.FillBytes(out[size:])
	return out, nil
}
