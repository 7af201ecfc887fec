import type { Deps } from '../src/deps.ts';
import { createApp, listApps } from '../src/features/app/app.ts';
import { endSession } from '../src/features/session/session.ts';
import type { SignInContext } from '../src/features/sign-in/context.ts';
import { pidOf } from '../src/lib/id.ts';
import { appAt, seedPerson } from './demo.ts';
import { ayu } from './people.ts';

/**
 * Returns one of Ayu's apps for a page at the origin, so that a page from the README can request payments immediately.
 */
export async function appOfPage(
  deps: Deps,
  context: SignInContext,
  origin: string,
): Promise<{ appId: string; payee: string }> {
  const { sessionId, handle } = await seedPerson(deps, context, ayu);
  const { data } = await listApps(deps, sessionId, { limit: 100 });
  const known = data.find(({ name, allowedOrigins }) => name === appName && allowedOrigins.includes(origin));
  const { id } =
    known ??
    (await createApp(
      deps,
      { sessionId, handle },
      {
        ...appAt(appName, origin),
        type: 'spa',
        redirectUris: [`${origin}/`],
      },
    ));
  await endSession(deps, sessionId);
  return { appId: id, payee: pidOf(handle) };
}

const appName = 'Corner Shop';
