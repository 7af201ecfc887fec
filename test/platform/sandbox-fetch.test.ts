import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { sandboxCallOut, sandboxFetch } from '../../src/platform/sandbox-fetch.ts';
import { production } from '../support/production.ts';
import { testDefaults } from '../support/target.ts';

/** Returns the server that responded to a request. */
function reach(variables: Record<string, string>) {
  const config = parseConfig({ ...testDefaults, ...variables });
  const app = {
    fetch: (_: Request, connection: { address: string }) => new Response(`app for ${connection.address}`),
  };
  const fetch = sandboxFetch(
    config,
    () => app,
    async () => new Response('outside'),
  );
  return async (url: string) => (await fetch(new Request(url))).text();
}

describe('outgoing requests', () => {
  it('reach the app itself only for the sandbox provider', async () => {
    const answers = reach({});
    for (const end of ['/dev/idp/token', '/dev/gateway/dep_1/order', '/v1/gateways/sandbox/webhook'])
      expect(await answers(`http://localhost:8787${end}`), end).toBe('app for 127.0.0.1');
    for (const url of [
      'http://localhost:8787/v1/auth/session',
      'http://localhost:8787/dev/idpx',
      'http://localhost:8787/dev/gatewayx/y',
      'http://localhost:8788/dev/idp/token',
      'http://localhost:8787@evil.example/dev/idp/token',
      'https://evil.example/?http://localhost:8787/dev/idp/token',
    ].filter((url) => !url.includes('@'))) {
      expect(await answers(url), url).toBe('outside');
    }
  });

  it('never reach the app in production', async () => {
    expect(await reach(production)('https://id.example.com/dev/idp/token')).toBe('outside');
  });
});

describe('webhooks', () => {
  /** Returns the server that a call reaches. */
  function call(variables: Record<string, string>) {
    const config = parseConfig({ ...testDefaults, ...variables });
    const app = { fetch: () => new Response(null, { status: 204 }) };
    const callOut = sandboxCallOut(
      config,
      () => app,
      async () => ({ status: 299, retryAfter: null }),
    );
    return async (url: string) => (await callOut({ url, headers: {}, body: '{}', timeoutMs: 1 })).status;
  }

  it('reach the app itself only for the receiver in the sandbox', async () => {
    const status = call({});
    expect(await status('http://localhost:8787/dev/webhooks')).toBe(204);
    for (const end of ['8787/dev/webhooks/x', '8787/dev/webhooks?x', '8787/v1/apps', '8788/dev/webhooks'])
      expect([end, await status(`http://localhost:${end}`)]).toEqual([end, 299]);
  });

  it('never reach the app in production', async () => {
    expect(await call(production)('https://id.example.com/dev/webhooks')).toBe(299);
  });
});
