import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { jsonBody } from '../../src/http/body.ts';
import type { AppEnv } from '../../src/http/context.ts';

it('an endless body is read only up to the limit, and the handler does not run [D-61]', async () => {
  let pulled = 0;
  let handled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(1024).fill(32));
    },
  });
  const app = new Hono<AppEnv>();
  app.onError((error, c) => c.text(error.message, 413));
  app.post('/', jsonBody(), (c) => {
    handled = true;
    return c.body(null, 204);
  });
  const init = {
    method: 'POST',
    body: endless,
    duplex: 'half',
    headers: { 'Content-Type': 'application/json' },
  };
  const answer = await app.request('/', init as RequestInit);
  expect([answer.status, await answer.text(), handled]).toEqual([413, 'Request body is too large', false]);
  // Sixteen pieces fit; a stream may have one or two more ready.
  expect(pulled).toBeGreaterThanOrEqual(17);
  expect(pulled).toBeLessThanOrEqual(20);
});
