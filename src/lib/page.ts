import * as z from 'zod/mini';
import { fromBase64url, fromUtf8, toBase64url, utf8 } from './encoding.ts';
import { readText } from './text-schema.ts';

/** One page of a list. `nextCursor` is null on the last one. */
export interface Page<Item> {
  readonly data: Item[];
  readonly nextCursor: string | null;
}

export interface PageQuery {
  readonly limit: number;
  /** The key of the previous page's last item. */
  readonly cursor?: string | undefined;
}

const limitText = 'limit must be a whole number from 1 to 100';
export const cursorText = 'cursor must be one that an earlier page answered';

/** The query of a list. A cursor is opaque to callers; it contains the key of an item, which must match `key`. */
export function pageQuery(key: RegExp) {
  const readKey = (cursor: string): string | null => {
    const bytes = fromBase64url(cursor);
    const decoded = bytes === null ? '' : fromUtf8(bytes);
    return key.test(decoded) ? decoded : null;
  };
  const wholeNumber = z.coerce.number(limitText).check(z.int(limitText));
  const cursor = z.string('cursor must be a string').check(z.maxLength(200, cursorText));
  return z.object({
    limit: z._default(wholeNumber.check(z.minimum(1, limitText), z.maximum(100, limitText)), 20),
    cursor: z.optional(readText(cursor, readKey, cursorText)),
  });
}

/** The response of a list. */
export function pageSchema<Item extends z.core.$ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.nullable(z.string()) });
}

/** Turns rows into a page. The rows include one more than the limit, which shows whether there are further rows. */
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
    nextCursor: last === undefined ? null : cursorOf(keyOf(last)),
  };
}

/** The cursor of the page after an item's key. */
export function cursorOf(key: string): string {
  return toBase64url(utf8(key));
}
