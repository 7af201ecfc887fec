import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { providerIds } from '../lib/credential-kinds.ts';
import { devGatewayPath, devReceiverPath, notificationPath } from '../lib/page-paths.ts';

interface FetchingApp {
  fetch(request: Request, connection: { address: string; country: null }): Response | Promise<Response>;
}

/**
 * HTTP to the outside world. In development the app answers requests to the sandbox providers, and the sandbox's own
 * payment notifications, in process: a Worker cannot call its own URL, and tests need no server.
 */
export function sandboxFetch(
  config: Config,
  app: () => FetchingApp,
  outside: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  if (config.production) return outside;
  const sandbox = [
    ...providerIds.map((id) => `${config.origin}/dev/${id}/`),
    `${config.origin}${devGatewayPath}/`,
    `${config.origin}${notificationPath('sandbox')}`,
  ];
  return async (request) => {
    if (!sandbox.some((base) => request.url.startsWith(base))) return outside(request);
    return app().fetch(request, { address: '127.0.0.1', country: null });
  };
}

/** The same for webhooks: in development the app itself responds to those sent to the sandbox's receiver. */
export function sandboxCallOut(
  config: Config,
  app: () => FetchingApp,
  outside: Deps['callOut'],
): Deps['callOut'] {
  if (config.production) return outside;
  return async (call) => {
    const { url, headers, body = '' } = call;
    if (url !== `${config.origin}${devReceiverPath}`) return outside(call);
    const request = new Request(url, { method: 'POST', headers, body });
    const answer = await app().fetch(request, { address: '127.0.0.1', country: null });
    await answer.body?.cancel();
    return { status: answer.status, retryAfter: answer.headers.get('Retry-After') };
  };
}
