/** Splits a list of scopes at its spaces and removes duplicates; null stays null. */
export function parseScopes(text: string | undefined): string[] | null {
  return text === undefined ? null : [...new Set(text.split(' ').filter(Boolean))];
}
