# Signs somebody in by the gem openid_connect.
#
#   ruby openid_connect_client.rb signin ISSUER CLIENT_ID CA_FILE CLIENT_SECRET REDIRECT_URI POST_LOGOUT_REDIRECT_URI
#     prints the address that a browser has to open, reads the address that the browser was sent back to, refreshes the
#     access token, and prints the claims of the ID token and of userinfo, and the address that signs out, as JSON
#   ruby openid_connect_client.rb verify ISSUER CLIENT_ID CA_FILE ID_TOKEN NONCE
#     verifies an ID token for this client
#
# It fails with the gem's error.

require "json"
require "openid_connect"
require "securerandom"

class SignIn
  def initialize(issuer, client_id, ca_file)
    OpenIDConnect.http_config { |http| http.ssl_config.add_trust_ca(ca_file) }
    @server = OpenIDConnect::Discovery::Provider::Config.discover!(issuer)
    @client_id = client_id
  end

  def run(secret, redirect_uri, post_logout_redirect_uri)
    client = OpenIDConnect::Client.new(
      identifier: @client_id,
      secret: secret,
      redirect_uri: redirect_uri,
      authorization_endpoint: @server.authorization_endpoint,
      token_endpoint: @server.token_endpoint,
      userinfo_endpoint: @server.userinfo_endpoint
    )
    token, claims = redeem(client)
    { claims: claims, userinfo: userinfo(token), idToken: token.id_token, **refresh(client, token),
      logout: logout_uri(token.id_token, post_logout_redirect_uri) }
  end

  def verify(id_token, nonce)
    decoded = OpenIDConnect::ResponseObject::IdToken.decode(id_token, @server.jwks)
    decoded.verify!(issuer: @server.issuer, client_id: @client_id, nonce: nonce)
    decoded.raw_attributes
  end

  private

  def redeem(client)
    state, nonce, code_verifier = Array.new(3) { SecureRandom.urlsafe_base64(32) }
    puts client.authorization_uri(
      scope: %i[profile email offline_access],
      state: state,
      nonce: nonce,
      code_challenge: Base64.urlsafe_encode64(OpenSSL::Digest::SHA256.digest(code_verifier), padding: false),
      code_challenge_method: "S256"
    )
    back = Rack::Utils.parse_query(URI($stdin.gets.strip).query)
    abort "the state is not the one sent" unless back["state"] == state
    client.authorization_code = back["code"]
    token = client.access_token!(code_verifier: code_verifier)
    [token, verify(token.id_token, nonce)]
  end

  def userinfo(token)
    token.userinfo!.raw_attributes
  end

  def refresh(client, token)
    client.refresh_token = token.refresh_token
    after = client.access_token!
    rotated = after.refresh_token != token.refresh_token && after.access_token != token.access_token
    { rotated: rotated, refreshed: userinfo(after) }
  end

  def logout_uri(id_token, post_logout_redirect_uri)
    query = { id_token_hint: id_token, post_logout_redirect_uri: post_logout_redirect_uri, state: "signed out" }
    "#{@server.end_session_endpoint}?#{query.to_query}"
  end
end

$stdout.sync = true
mode, issuer, client_id, ca_file, *args = ARGV
sign_in = SignIn.new(issuer, client_id, ca_file)
mode == "verify" ? sign_in.verify(*args) : puts(JSON.generate(sign_in.run(*args)))
