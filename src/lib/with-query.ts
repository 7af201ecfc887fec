/** Adds the given values to a URL's query, before its fragment. */
export function withQuery(base: string, values: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] != null);
  if (given.length === 0) return base;
  const [address = '', ...rest] = base.split('#');
  const joined = `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
  return [joined, ...rest].join('#');
}
