import * as z from 'zod/mini';

/** Characters allowed in a header. For any other character, the runtime's error would quote the value. */
export const oneToken = /^[\w.~+/=-]*$/;

export const databaseAddress = z.optional(
  z.string().check(
    z.regex(/^(file:|https?:|libsql:)/, 'must begin with file:, libsql:, https: or http:'),
    z.refine(
      (text) => !/^(https?|libsql):/.test(text) || isServerAddress(text),
      'must be the address of a server, with no user, password or fragment',
    ),
  ),
);

function isServerAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.host === '' || url.username + url.password + url.hash !== '') return false;
  return [...url.searchParams].every(
    ([name, value]) => (name === 'authToken' && oneToken.test(value)) || name === 'tls',
  );
}
