import { AsyncLocalStorage } from 'node:async_hooks';
import type { Deps } from '../deps.ts';
import { parseTraceparent } from '../lib/traceparent.ts';

/**
 * Passes `traceparent` (W3C Trace Context) of a request on to everything that is called for it: providers, gateways, and the
 * receivers of webhooks whose delivery its response started. The service is no part of the trace, so the value stays as it is.
 */
export function createTrace() {
  const storage = new AsyncLocalStorage<string>();
  return {
    /** Runs the work for a request. Without a valid header this costs one look. */
    within<T>(headers: { get(name: string): string | null }, work: () => T): T {
      const given = parseTraceparent(headers.get('traceparent'));
      return given === null ? work() : storage.run(given, work);
    },
    fetch(send: Deps['fetch']): Deps['fetch'] {
      return (request) => {
        const traceparent = storage.getStore();
        if (traceparent !== undefined) request.headers.set('traceparent', traceparent);
        return send(request);
      };
    },
    callOut(send: Deps['callOut']): Deps['callOut'] {
      return (call) => {
        const traceparent = storage.getStore();
        return send(
          traceparent === undefined ? call : { ...call, headers: { ...call.headers, traceparent } },
        );
      };
    },
  };
}
