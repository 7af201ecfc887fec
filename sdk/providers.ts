import type { Core } from './context.ts';
import type { ProvidersApi } from './me-types.ts';
import type { Provider } from './types.ts';

/** This file imports only types, so it loads in one request. */
export function createProviders({ send }: Core): ProvidersApi {
  return {
    async list(options) {
      const answer = await send<{ data: Provider[] }>('/v1/auth/providers', options);
      return 'statusCode' in answer ? answer : answer.data;
    },
  };
}
