import type { Provider } from '../../src/features/idp/providers/provider.ts';
import { idpRoutes } from '../../src/features/idp/routes.ts';
import { type InProcessTarget, serveInProcess } from './in-process.ts';
import { openMigrated } from './migrated.ts';

/** The service in this process with an additional provider, whose calls reach `outside`. */
export async function serveWithProvider(
  provider: Provider,
  outside: (request: Request) => Promise<Response>,
): Promise<InProcessTarget> {
  const { db, close } = await openMigrated();
  return serveInProcess({
    variables: { RATE_LIMITS: '{"*":1000000}' },
    db,
    rows: () => Promise.reject(new Error('no test reads rows here')),
    close,
    fetch: outside,
    extend: (app, deps) => void app.route('/', idpRoutes(deps, [provider])),
  });
}
