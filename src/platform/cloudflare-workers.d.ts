/** The parts of these modules used here; their full types would shadow the standard ones. */
declare module 'cloudflare:workers' {
  export const env: unknown;
  export function waitUntil(promise: Promise<unknown>): void;
  /** The base of classes whose methods other Workers may call. */
  export class DurableObject {}
}
