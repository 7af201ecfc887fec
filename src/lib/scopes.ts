/** The scopes in a text with spaces between them, each once; null without the text. */
export function parseScopes(text: string | undefined): string[] | null {
  return text === undefined ? null : [...new Set(text.split(' ').filter(Boolean))];
}
