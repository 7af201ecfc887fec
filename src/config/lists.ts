import * as z from 'zod/mini';

/** Comma-separated strings. */
export function list(isEntry: (text: string) => boolean, message: string) {
  return z
    .pipe(
      z._default(z.string(), ''),
      z.transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      ),
    )
    .check(z.refine((entries) => entries.every(isEntry), message));
}

export const pids = list(
  (text) => /^[a-z0-9._-]{3,30}@pid$/.test(text),
  'must be PIDs, such as ayu@pid, comma separated',
);
