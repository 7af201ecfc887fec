import type { ExportedHandler, Request as IncomingRequest } from '@cloudflare/workers-types';
import { readAssets } from './platform/assets.ts';
import worker, { type Env } from './worker.ts';

export { RateLimitBuckets } from './platform/bucket-object.ts';

const assetPath = /^\w+:\/\/[^/]+\/(docs|openapi\.json|sdk\/v1\/pid\.js)(\?|$)/;

/** The files of `public/`, bundled as text. */
async function bundledFile(name: string): Promise<string> {
  if (name === '_headers') return (await import('../public/_headers')).default;
  if (name === 'docs.html') return (await import('../public/docs.html')).default;
  if (name === 'sdk/v1/pid.js') return (await import('../public/sdk/v1/pid.js')).default;
  return JSON.stringify((await import('../public/openapi.json')).default, null, 2);
}

/**
 * Reads what the service left of a request's body. The proxy of `wrangler dev` breaks off with 500 when an answer,
 * such as a refusal, comes before all of the body was taken.
 */
async function readRest({ body }: IncomingRequest): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client went away; there is nothing left to read.
  }
}

/**
 * The Worker in `wrangler dev`: it answers the contract, its page and the SDK itself, because the local asset router stands
 * in front of every request and costs each about 15%. Production leaves these files to the platform.
 */
export default {
  ...worker,
  async fetch(request, env) {
    if (assetPath.test(request.url)) {
      const answer = (await readAssets(bundledFile))(request as unknown as Request);
      if (answer) return answer as never;
    }
    try {
      return await worker.fetch(request, env);
    } finally {
      await readRest(request);
    }
  },
} satisfies ExportedHandler<Env>;
