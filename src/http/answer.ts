import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from './context.ts';

/** Answers JSON. Hono's own `json()` names no character set. */
export function sendJson(c: AppContext, value: unknown, status: ContentfulStatusCode = 200): Response {
  c.header('Content-Type', 'application/json; charset=utf-8');
  return c.body(JSON.stringify(value), status);
}
