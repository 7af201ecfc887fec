import { AppError } from '../errors.ts';
import type { AppContext } from './context.ts';

/** A request's `Idempotency-Key`, or null. @throws AppError validation_failed unless it has 1 to 255 characters */
export function idempotencyKey(c: AppContext): string | null {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return null;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AppError('validation_failed', ['Idempotency-Key must have 1 to 255 visible ASCII characters']);
}

/** Marks the response as the one to an earlier request with the same key and body. */
export function markReplayed(c: AppContext, isReplayed: boolean): void {
  if (isReplayed) c.header('Idempotent-Replayed', 'true');
}
