import type { Config } from '../config.ts';

interface FetchingApp {
  fetch(request: Request, connection: { address: string; country: null }): Response | Promise<Response>;
}

/**
 * The way to the outside world. In development, requests to the sandbox identity provider are answered by the
 * app itself, in process: a Worker cannot call its own address, and nothing has to listen for a test.
 */
export function sandboxFetch(
  config: Config,
  app: () => FetchingApp,
  outside: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  if (config.production) return outside;
  const sandbox = `${config.origin}/dev/idp/`;
  return async (request) => {
    if (!request.url.startsWith(sandbox)) return outside(request);
    return app().fetch(request, { address: '127.0.0.1', country: null });
  };
}
