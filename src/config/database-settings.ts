import * as z from 'zod/mini';

/** Characters allowed in a header. For any other character, the runtime's error would quote the value. */
export const oneToken = /^[\w.~+/=-]*$/;

/** An rqlite cluster: a user and password, if any, and its nodes. */
const rqliteAddress =
  /^rqlites?:\/\/(?:(?:[^\s:@/%]|%[\da-f]{2})+:(?:[^\s@/%]|%[\da-f]{2})+@)?[\w.-]+(?::\d{1,5})?(?:,[\w.-]+(?::\d{1,5})?)*$/i;

const address = (known: RegExp, schemes: string) =>
  z.string().check(
    z.regex(known, `must begin with ${schemes}`),
    z.refine(
      (text) => !/^(https?|libsql):/.test(text) || isServerAddress(text),
      'must be the address of a server, with no user, password or fragment',
    ),
    z.refine(
      (text) => !text.startsWith('rqlite') || rqliteAddress.test(text),
      'must be rqlite://host:4001,host:4001,host:4001 (user:password@ before them; rqlites: for TLS)',
    ),
  );

/** The address of the key-value store. */
export const storeAddress = z.optional(
  address(/^(file:|https?:|libsql:)/, 'file:, libsql:, https: or http:'),
);

export const databaseAddress = z.optional(
  address(/^(file:|https?:|libsql:|rqlites?:)/, 'file:, libsql:, https:, http:, rqlite: or rqlites:'),
);

/** The addresses of the stores on Bun. */
export function storesOf({ DATABASE_URL, KV_URL }: Readonly<Record<string, string | undefined>>) {
  return { DATABASE_URL: DATABASE_URL || 'file:./data/peridot.db', KV_URL: KV_URL || 'file:./data/kv.db' };
}

type Store = 'DATABASE_URL' | 'KV_URL';

/** Problems of relative paths: started in another folder, such as a new release's, the service would create new files. */
export function* relativeFiles({
  DATABASE_URL,
  KV_URL,
}: { [Name in Store]?: string | undefined }): Generator<[Store, string]> {
  const isRelative = (address = '') => /^file:(?![/:])/.test(address);
  const message = 'must be set to an absolute path in production, such as file:/var/lib';
  if (isRelative(DATABASE_URL)) yield ['DATABASE_URL', `${message}/peridot/peridot.db`];
  if (isRelative(KV_URL)) yield ['KV_URL', `${message}/peridot-kv/kv.db`];
}

function isServerAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.host === '' || url.username + url.password + url.hash !== '') return false;
  return [...url.searchParams].every(
    ([name, value]) => (name === 'authToken' && oneToken.test(value)) || name === 'tls',
  );
}
