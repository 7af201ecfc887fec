/** The part of the runtime's own module that is used here; its full types would shadow the standard ones. */
declare module 'cloudflare:workers' {
  export const env: unknown;
  export function waitUntil(promise: Promise<unknown>): void;
}
