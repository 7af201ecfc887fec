import type { App } from '../../features/app/schema.ts';

interface Shown {
  readonly app: App;
  /** The service's origin. */
  readonly service: string;
  /** Null if it is no longer shown. */
  readonly secret: string | null;
}

/**
 * Code that signs people in to a new app without changes. It runs in the app's own page or back end, so its randomness is that of its
 * runtime.
 */
export function snippetOf(shown: Shown): string {
  return { web: server, spa: page, native: settings }[shown.app.type](shown);
}

/** The page runs in the visitor's browser, which has no `Deps`, so it takes random values from there. */
const page = ({ app, service }: Shown) => `<!doctype html>
<button id="signIn">Sign in</button>
<p id="hello"></p>
<script type="module">
  const service = '${service}';
  const client_id = '${app.id}';
  const redirect_uri = '${app.redirectUris[0] ?? ''}';
  const encode = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const random = () => encode(crypto.getRandomValues(new Uint8Array(32)));
  signIn.onclick = async () => {
    const [state, verifier] = [random(), random()];
    sessionStorage.setItem(state, verifier);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const pkce = { code_challenge: encode(new Uint8Array(digest)), code_challenge_method: 'S256' };
    const asked = { client_id, redirect_uri, response_type: 'code', scope: '${app.scopes.join(' ')}', state, ...pkce };
    location.href = service + '/v1/auth/authorize?' + new URLSearchParams(asked);
  };
  const query = new URLSearchParams(location.search);
  const code_verifier = sessionStorage.getItem(query.get('state'));
  if (query.has('code') && code_verifier) {
    sessionStorage.removeItem(query.get('state'));
    history.replaceState(null, '', redirect_uri);
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id, code: query.get('code'), redirect_uri, code_verifier });
    const { access_token } = await (await fetch(service + '/v1/auth/token', { method: 'POST', body })).json();
    const headers = { Authorization: 'Bearer ' + access_token };
    const person = await (await fetch(service + '/v1/auth/userinfo', { headers })).json();
    hello.textContent = 'Hello, ' + (person.name ?? person.sub);
  }
</script>
`;

const server = ({ app, service, secret }: Shown) => `import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const service = '${service}';
const client_id = '${app.id}';
const secret = process.env.PID_SECRET ?? '${secret ?? 'pids_…'}';
const redirect_uri = '${app.redirectUris[0] ?? ''}';
const random = () => randomBytes(32).toString('base64url');

createServer(async (request, response) => {
  const query = new URL(request.url, redirect_uri).searchParams;
  const [, state, code_verifier] = /pid_state=([^.;]+)\\.([^.;]+)/.exec(request.headers.cookie) ?? [];
  if (!state || query.get('state') !== state) {
    const [state, verifier] = [random(), random()];
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const asked = { client_id, redirect_uri, response_type: 'code', scope: '${app.scopes.join(' ')}', state };
    const ask = new URLSearchParams({ ...asked, code_challenge, code_challenge_method: 'S256' });
    const cookie = 'pid_state=' + state + '.' + verifier + '; HttpOnly; SameSite=Lax; Path=/';
    return response.writeHead(302, { Location: service + '/v1/auth/authorize?' + ask, 'Set-Cookie': cookie }).end();
  }
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: query.get('code'), redirect_uri, code_verifier });
  const headers = { Authorization: 'Basic ' + btoa(client_id + ':' + secret) };
  const { id_token } = await (await fetch(service + '/v1/auth/token', { method: 'POST', headers, body })).json();
  response.end(id_token ? Buffer.from(id_token.split('.')[1], 'base64url') : 'Not signed in');
}).listen(new URL(redirect_uri).port || 8080);
`;

const settings = ({ app, service }: Shown) => `issuer: ${service}
client_id: ${app.id}
redirect_uri: ${app.redirectUris[0] ?? ''}
scope: ${app.scopes.join(' ')}
`;
