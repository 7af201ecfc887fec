const maxDepth = 32;

/**
 * Finds problems that `JSON.parse` accepts: nesting deeper than 32, or a repeated key, which parsers resolve
 * differently (RFC 8259 section 4). The text must be valid JSON.
 */
export function strictJsonProblem(text: string): string | null {
  const keysOfOpenObjects: (Set<string> | null)[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') {
      if (keysOfOpenObjects.push(token === '{' ? new Set() : null) > maxDepth) return 'is nested too deeply';
    } else if (token === '}' || token === ']') {
      keysOfOpenObjects.pop();
    } else if (token.endsWith(':')) {
      const text = token.slice(0, token.lastIndexOf('"') + 1);
      const key: string = text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
      const keys = keysOfOpenObjects.at(-1);
      if (keys?.has(key)) return 'holds one key twice';
      keys?.add(key);
    }
  }
  return null;
}
