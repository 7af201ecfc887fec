import { AsyncLocalStorage } from 'node:async_hooks';
import type { Deps } from '../deps.ts';
import { parseTraceparent } from '../lib/traceparent.ts';

/**
 * Passes the `traceparent` (W3C Trace Context) of a request on to all calls made for it: providers, gateways, and the
 * receivers of webhooks delivered after its response. The service adds no span, so the value stays unchanged.
 */
export function createTrace() {
  const storage = new AsyncLocalStorage<string>();
  return {
    /** Runs the work for a request. Without a valid header, this costs only a header lookup. */
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
