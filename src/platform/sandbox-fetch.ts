import type { Config } from '../config.ts';
import { providerIds } from '../lib/credential-kinds.ts';

interface FetchingApp {
  fetch(request: Request, connection: { address: string; country: null }): Response | Promise<Response>;
}

/**
 * Reaches the outside world. In development the app answers requests to the sandbox providers in process: a Worker
 * cannot call its own address, and tests need no server.
 */
export function sandboxFetch(
  config: Config,
  app: () => FetchingApp,
  outside: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  if (config.production) return outside;
  const sandbox = providerIds.map((id) => `${config.origin}/dev/${id}/`);
  return async (request) => {
    if (!sandbox.some((base) => request.url.startsWith(base))) return outside(request);
    return app().fetch(request, { address: '127.0.0.1', country: null });
  };
}
