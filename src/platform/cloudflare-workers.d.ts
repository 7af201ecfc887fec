/** The parts of these modules that are used here; the full types would shadow the standard ones. */
declare module 'cloudflare:workers' {
  export const env: unknown;
  export function waitUntil(promise: Promise<unknown>): void;
  /** The base of classes whose methods other Workers may call. */
  export class DurableObject {}
}

declare module 'cloudflare:sockets' {
  export interface Socket {
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
    readonly opened: Promise<unknown>;
    close(): Promise<void>;
    startTls(): Socket;
  }
  export function connect(
    address: { hostname: string; port: number },
    options: { secureTransport: 'on' | 'off' | 'starttls'; allowHalfOpen: boolean },
  ): Socket;
}
