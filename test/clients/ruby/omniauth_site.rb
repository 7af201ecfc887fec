# A site that signs people in by OmniAuth, with the gem gitlab-omniauth-openid-connect.
#
#   ruby omniauth_site.rb PORT ISSUER CLIENT_ID CLIENT_SECRET REDIRECT_URI CA_FILE
#
# Its page shows a button; after the sign-in, what OmniAuth learned about the person, as JSON.

require "json"
require "omniauth_openid_connect"
require "rack"
require "rack/handler/webrick"
require "securerandom"

port, issuer, client_id, client_secret, redirect_uri, ca_file = ARGV
OpenIDConnect.http_config { |http| http.ssl_config.add_trust_ca(ca_file) }
OmniAuth.config.logger = Logger.new($stderr)

page = lambda do |env|
  token = Rack::Protection::AuthenticityToken.token(env["rack.session"])
  <<~HTML
    <!doctype html><title>Site</title>
    <form method="post" action="/auth/openid_connect">
      <input type="hidden" name="authenticity_token" value="#{token}">
      <button>Sign in with PID</button>
    </form>
  HTML
end

site = lambda do |env|
  html = { "Content-Type" => "text/html; charset=utf-8" }
  json = { "Content-Type" => "application/json" }
  case env["PATH_INFO"]
  when "/auth/openid_connect/callback" then [200, json, [JSON.generate(env["omniauth.auth"])]]
  when "/auth/failure" then [401, html, [Rack::Utils.escape_html(env["QUERY_STRING"])]]
  else [200, html, [page.call(env)]]
  end
end

app = Rack::Builder.app do
  use Rack::Session::Cookie, secret: SecureRandom.hex(32)
  use OmniAuth::Builder do
    provider :openid_connect,
             issuer: issuer,
             discovery: true,
             scope: %i[openid profile email offline_access],
             post_logout_redirect_uri: "http://localhost:#{port}/",
             client_options: { identifier: client_id, secret: client_secret, redirect_uri: redirect_uri }
  end
  run site
end

Rack::Handler::WEBrick.run(app, Host: "127.0.0.1", Port: port, AccessLog: [])
