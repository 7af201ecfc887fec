// Signs somebody in by go-oidc and x/oauth2.
//
//	client signin ISSUER CLIENT_ID CA_FILE CLIENT_SECRET REDIRECT_URI
//	  prints the address that a browser has to open, reads the address that the browser was sent back to, refreshes the
//	  access token, and prints the claims of the ID token and of userinfo as JSON
//	client verify ISSUER CLIENT_ID CA_FILE ID_TOKEN
//	  verifies an ID token for this client
//
// It fails with the library's error.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/ioutil"
	"net/http"
	"net/url"
	"os"
	"strings"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

type claims map[string]interface{}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(mode, issuer, clientID, caFile string, args []string) error {
	ctx, err := trusting(caFile)
	if err != nil {
		return err
	}
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return err
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: clientID})
	if mode == "verify" {
		_, err := verifier.Verify(ctx, args[0])
		return err
	}
	client := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: args[0],
		Endpoint:     provider.Endpoint(),
		RedirectURL:  args[1],
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	return signIn(ctx, provider, verifier, client)
}

func signIn(ctx context.Context, provider *oidc.Provider, verifier *oidc.IDTokenVerifier, client oauth2.Config) error {
	state, nonce, codeVerifier := random(), random(), random()
	challenge := sha256.Sum256([]byte(codeVerifier))
	fmt.Println(client.AuthCodeURL(
		state,
		oidc.Nonce(nonce),
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(challenge[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256"),
	))
	code, err := readCode(state)
	if err != nil {
		return err
	}
	token, err := client.Exchange(ctx, code, oauth2.SetAuthURLParam("code_verifier", codeVerifier))
	if err != nil {
		return err
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := verifier.Verify(ctx, raw)
	if err != nil {
		return err
	}
	if idToken.Nonce != nonce {
		return errors.New("the nonce of the ID token is not the one sent")
	}
	report := map[string]interface{}{"idToken": raw}
	learned := claims{}
	if err := idToken.Claims(&learned); err != nil {
		return err
	}
	report["claims"] = learned
	if report["userinfo"], err = userInfo(ctx, provider, oauth2.StaticTokenSource(token)); err != nil {
		return err
	}
	// A token source refreshes a token that is not valid, such as one without an access token.
	source := client.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken})
	next, err := source.Token()
	if err != nil {
		return err
	}
	report["rotated"] = next.RefreshToken != token.RefreshToken && next.AccessToken != token.AccessToken
	if report["refreshed"], err = userInfo(ctx, provider, source); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}

func userInfo(ctx context.Context, provider *oidc.Provider, source oauth2.TokenSource) (claims, error) {
	info, err := provider.UserInfo(ctx, source)
	if err != nil {
		return nil, err
	}
	learned := claims{}
	return learned, info.Claims(&learned)
}

// Reads the address that the browser was sent back to.
func readCode(state string) (string, error) {
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return "", err
	}
	back, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		return "", err
	}
	if back.Query().Get("state") != state {
		return "", errors.New("the state is not the one sent")
	}
	return back.Query().Get("code"), nil
}

// A context whose requests trust only the certificate in the file.
func trusting(caFile string) (context.Context, error) {
	pem, err := ioutil.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	return oidc.ClientContext(context.Background(), &http.Client{Transport: transport}), nil
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}
