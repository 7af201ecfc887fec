import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A person's GitHub account, and the server's behaviour for the code of a sign-in. */
export interface GithubAccount {
  /** The response to GET /user, unchanged. */
  readonly user?: unknown;
  /** The response to GET /user/emails, unchanged. */
  readonly emails?: unknown;
  /** The scopes that the person granted, which may be fewer than requested. */
  readonly scope?: string;
  /** The token endpoint's response instead of a token, with status 200. */
  readonly refusal?: unknown;
  /** The status with which /user or /user/emails fails. */
  readonly failing?: { readonly path: '/user' | '/user/emails'; readonly status: number };
}

interface Code {
  readonly request: URLSearchParams;
  readonly account: GithubAccount;
  uses: number;
  token: string | null;
}

/** The server's record of a code. */
export interface GithubReport {
  readonly tokenCalls: number;
  readonly apiCalls: number;
}

const clientId = 'Iv1.peridot';

/**
 * Starts an OAuth 2 server that behaves like GitHub: the token endpoint sends errors with status 200 and JSON only on
 * request, ids are numbers, the API requires a user agent, and addresses need a separate request. `POST
 * /control/authorize` decides for the person, and `GET /control/report` returns the server's record of a code.
 */
export async function startGithub(): Promise<{
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  stop(): Promise<void>;
}> {
  const clientSecret = randomBytes(20).toString('hex');
  const codes = new Map<string, Code>();
  const calls = new Map<string, number>();

  function token(form: URLSearchParams): object {
    const name = form.get('code') ?? '';
    const code = codes.get(name);
    if (code) code.uses += 1;
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return { error: 'incorrect_client_credentials' };
    }
    if (!code || code.uses > 1) return { error: 'bad_verification_code' };
    if (form.get('redirect_uri') !== code.request.get('redirect_uri'))
      return { error: 'redirect_uri_mismatch' };
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== code.request.get('code_challenge')) return { error: 'bad_verification_code' };
    if (code.account.refusal !== undefined) return code.account.refusal as object;
    code.token = `gho_${name}`;
    const asked = (code.request.get('scope') ?? '').replaceAll(' ', ',');
    return { access_token: code.token, scope: code.account.scope ?? asked, token_type: 'bearer' };
  }

  function api(
    request: IncomingMessage,
    { path, query }: { path: string; query: URLSearchParams },
  ): [number, unknown] {
    if (!request.headers['user-agent'])
      return [403, { message: 'Request forbidden by administrative rules.' }];
    const [, name = ''] = /^Bearer gho_(\w+)$/.exec(request.headers.authorization ?? '') ?? [];
    const code = codes.get(name);
    if (!code?.token) return [401, { message: 'Bad credentials' }];
    calls.set(name, (calls.get(name) ?? 0) + 1);
    const { user, emails = [], scope, failing } = code.account;
    if (failing?.path === path) return [failing.status, { message: 'as the test asks' }];
    if (path === '/user') return [200, user];
    const granted = scope ?? code.request.get('scope') ?? '';
    if (!granted.includes('user:email')) return [404, { message: 'Not Found' }];
    const page = Number(query.get('per_page') ?? 30);
    return [200, Array.isArray(emails) ? emails.slice(0, page) : emails];
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://github.test');
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    switch (url.pathname) {
      case '/login/oauth/access_token': {
        const answer = token(new URLSearchParams(body));
        if (request.headers.accept === 'application/json') return void send(200, answer);
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        return void response
          .writeHead(200, type)
          .end(new URLSearchParams(answer as Record<string, string>).toString());
      }
      case '/api/v3/user':
      case '/api/v3/user/emails':
        return void send(
          ...api(request, { path: url.pathname.slice('/api/v3'.length), query: url.searchParams }),
        );
      case '/control/authorize': {
        const { authorizeUrl, account } = JSON.parse(body) as {
          authorizeUrl: string;
          account: GithubAccount;
        };
        const name = randomBytes(10).toString('hex');
        const query = new URL(authorizeUrl).searchParams;
        codes.set(name, { request: query, account, uses: 0, token: null });
        const callback = new URL(query.get('redirect_uri') ?? '');
        callback.search = new URLSearchParams({ code: name, state: query.get('state') ?? '' }).toString();
        return void send(200, { callback: callback.href, code: name });
      }
      case '/control/report': {
        const name = url.searchParams.get('code') ?? '';
        const report = { tokenCalls: codes.get(name)?.uses ?? 0, apiCalls: calls.get(name) ?? 0 };
        return void send(200, report satisfies GithubReport);
      }
      default:
        send(404, { message: 'Not Found' });
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    clientId,
    clientSecret,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
