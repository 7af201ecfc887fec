/** Fetch API headers (Hono, Next.js, SvelteKit, workerd, Bun, Deno) or Node.js headers (Express). */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** A `Request`, a Node.js `IncomingMessage`, or `{ headers }`. */
export interface ServerRequest {
  readonly method?: string | undefined;
  readonly headers: RequestHeaders;
  /** The address or path, for requests with a DPoP proof. */
  readonly url?: string | undefined;
  /** The path before Express has removed that of a router. */
  readonly originalUrl?: string | undefined;
}

/** The value of a header, or null. @internal */
export function readHeader({ headers }: ServerRequest, name: string): string | null {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name];
  return value === undefined || value === null ? null : String(value);
}

/** A Node.js request may have a header named `get`, but its value is never a function. */
function isFetchHeaders(headers: RequestHeaders): headers is { get(name: string): string | null } {
  return typeof (headers as { get?: unknown }).get === 'function';
}

/** Encodes bytes as base64url. @internal */
export function encode(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes base64 or base64url. @internal */
export function decode(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
