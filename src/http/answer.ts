import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from './context.ts';

/** Responds with JSON. Hono's own `json()` sets no character set. */
export function sendJson(c: AppContext, value: unknown, status: ContentfulStatusCode = 200): Response {
  return sendJsonText(c, JSON.stringify(value), status);
}

/** Responds with JSON that is already serialized. */
export function sendJsonText(c: AppContext, text: string, status: ContentfulStatusCode = 200): Response {
  c.header('Content-Type', 'application/json; charset=utf-8');
  return c.body(text, status);
}
