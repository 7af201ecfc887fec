import type { Logger } from '../deps.ts';
import { AppError } from '../errors.ts';

/** An error as JSON, for errors outside the app. */
export function bareAnswer({ body, code, status }: AppError): Response {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Error-Code': code,
  };
  return new Response(JSON.stringify(body), { status, headers });
}

/** The response of last resort, for errors that an entry caught outside the app. */
export function answerFailure(log: Logger, thrown: unknown): Response {
  log.error('request.failed', { error: thrown });
  return bareAnswer(new AppError('internal'));
}
