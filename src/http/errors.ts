import type { ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Deps, LogFields } from '../deps.ts';
import { AppError, type ErrorCode, explain } from '../errors.ts';
import { sendJson } from './answer.ts';
import { type AppContext, type AppEnv, isNavigation } from './context.ts';
import { warnOnceAMinute } from './warn.ts';

/** The longest address that is read; far more than any page or form of the service sends. */
export const longestAddress = 8_000;

/** Renders an error as a page, for people; set by the pages, so that this module does not depend on them. */
export type ErrorPage = (
  c: AppContext,
  error: AppError,
  status?: ContentfulStatusCode,
) => Response | Promise<Response>;

/**
 * The only place where an error becomes a response (interface section 7). A browser that opened a page gets the same
 * status and message as a page; everything else gets JSON. Unexpected errors become a plain 500.
 */
export function renderError(deps: Deps, page?: ErrorPage): ErrorHandler<AppEnv> {
  return async (thrown, c) => {
    const error = toAppError(thrown);
    logError(deps, c, error, thrown);
    deps.metrics?.refused(error.code);
    c.header('X-Error-Code', error.code);
    if (error.retryAfterSeconds !== undefined) c.header('Retry-After', String(error.retryAfterSeconds));
    const isReadable = error.code !== 'host_invalid' && c.req.url.length <= longestAddress;
    if (page && isReadable && isNavigation(c)) {
      try {
        return await page(c, error);
      } catch (failure) {
        deps.log.error('error_page.failed', { requestId: c.get('requestId'), error: failure });
      }
    }
    return sendJson(c, c.get('oauth') ? error.oauthBody : error.body, error.status);
  };
}

export const renderNotFound: NotFoundHandler<AppEnv> = () => {
  throw new AppError('not_found');
};

/** Converts a thrown value; unexpected errors become `internal`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof HTTPException && thrown.status === 400) {
    return new AppError('malformed_body', null, { cause: thrown });
  }
  return new AppError('internal', null, { cause: thrown });
}

/** Errors that occur constantly, or in floods; logging each one would only fill the disk. */
const everyday = new Set<ErrorCode>([
  'unauthenticated',
  'no_session',
  'not_found',
  'popup_not_found',
  'origin_not_allowed',
]);

/** Errors caused by an operator's setting: neither the request nor the service is at fault. */
const switchedOff = new Set<ErrorCode>([
  'provider_not_configured',
  'gateway_not_configured',
  'ledger_disabled',
  'ledger_frozen',
]);

function logError(deps: Deps, c: AppContext, error: AppError, thrown: Error): void {
  const fields = {
    requestId: c.get('requestId'),
    session: c.get('session'),
    method: c.req.method,
    // Bounded, because anybody can cause such a line.
    path: c.req.path.slice(0, 200),
    status: error.status,
    errorCode: error.code,
    reason: error.reason,
  };
  if (switchedOff.has(error.code)) warnOnceAMinute(deps, 'request.switched_off', error.code, fields);
  else if (error.status >= 500 && !error.isLogged) {
    deps.log.error('request.failed', { ...fields, error: thrown });
    const guard = /guard:(\w+)|CHECK constraint failed: (\w+)/.exec(explain(thrown));
    if (guard)
      deps.log.error('pair_assertion_failed', { requestId: fields.requestId, guard: guard[1] ?? guard[2] });
  } else if (error.code === 'rate_limited') warnLimited(deps, c, fields);
  else if (everyday.has(error.code) || (error.isLogged && error.status < 500))
    deps.log.debug('request.refused', fields);
  else deps.log.info('request.refused', fields);
}

/**
 * Once a minute per address and route, because the first line is enough to reveal a flood or a limit that is too
 * strict.
 */
function warnLimited(deps: Deps, c: AppContext, fields: LogFields): void {
  const { address } = c.env;
  warnOnceAMinute(deps, 'request.limited', `${address} ${c.req.routePath}`, { ...fields, address });
}
