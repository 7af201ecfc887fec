import * as z from 'zod';
import { fromBase64url, fromUtf8, toBase64url, utf8 } from './encoding.ts';

/** One page of a list. `nextCursor` is null on the last one. */
export interface Page<Item> {
  readonly data: Item[];
  readonly nextCursor: string | null;
}

export interface PageQuery {
  readonly limit: number;
  /** The key of the last item of the page before. */
  readonly cursor?: string | undefined;
}

const limitText = 'limit must be a whole number from 1 to 100';

/**
 * The query of a list route. Callers must not read anything into a cursor; inside it is the key of an item,
 * which has to match `key`.
 */
export function pageQuery(key: RegExp) {
  return z.object({
    limit: z.coerce.number(limitText).int(limitText).min(1, limitText).max(100, limitText).default(20),
    cursor: z
      .string('cursor must be a string')
      .max(200, 'cursor must be one that an earlier page answered')
      .transform((text, context) => {
        const bytes = fromBase64url(text);
        const decoded = bytes === null ? '' : fromUtf8(bytes);
        if (key.test(decoded)) return decoded;
        context.addIssue({ code: 'custom', message: 'cursor must be one that an earlier page answered' });
        return z.NEVER;
      })
      .optional(),
  });
}

/** The answer of a list route. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

/** Makes a page of rows that were asked for with one more than the limit, which tells whether there are others. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    data: shown.map(toItem),
    nextCursor: last === undefined ? null : toBase64url(utf8(keyOf(last))),
  };
}
