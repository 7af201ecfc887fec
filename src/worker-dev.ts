import type { ExportedHandler, Request as IncomingRequest } from '@cloudflare/workers-types';
import { fromBase64 } from './lib/encoding.ts';
import { present } from './lib/present.ts';
import { type Assets, readAssets } from './platform/assets.ts';
import worker, { type Env } from './worker.ts';

export { RateLimitBuckets } from './platform/limits/bucket-object.ts';

const assetPath = /^\w+:\/\/[^/]+\/(docs(\/[^?]+)?|openapi\.json|sdk\/[^?]+)(\?|$)/;

/** The files of `public/`, bundled with this Worker. */
async function bundledAssets(): Promise<Assets> {
  const { default: files } = await import('peridot:public');
  return readAssets(Object.keys(files), (name) => fromBase64(present(files[name], name)) ?? new Uint8Array());
}

/** Reads the rest of a body, because the `wrangler dev` proxy returns 500 if a response precedes the body's end. */
async function readRest({ body }: IncomingRequest): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client disconnected.
  }
}

/**
 * The Worker for `wrangler dev`, which also serves the contract, its page and the SDK: the local asset router would add
 * about 15% to every request. In production the platform serves these files.
 */
export default {
  ...worker,
  async fetch(request, env) {
    if (assetPath.test(request.url)) {
      const answer = (await bundledAssets())(request as unknown as Request);
      if (answer) return answer as never;
    }
    try {
      return await worker.fetch(request, env);
    } finally {
      await readRest(request);
    }
  },
} satisfies ExportedHandler<Env>;
