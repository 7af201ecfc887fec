import type { Deps } from '../src/deps.ts';
import { rotateSecret } from '../src/features/app/secret.ts';
import { updateApp } from '../src/features/app/update.ts';
import { endSession } from '../src/features/session/session.ts';
import type { SignInContext } from '../src/features/sign-in/context.ts';
import { setWebhook } from '../src/features/webhook/webhook.ts';
import { pidOf } from '../src/lib/id.ts';
import { seedApp, seedPerson } from './demo.ts';
import { ayu } from './people.ts';
import type { Shop, ShopInput } from './schema.ts';

/**
 * Connects the demo app to the examples that run alongside the service: its pages and its webhook receiver. Secrets are shown only
 * once, so each call creates new ones.
 */
export async function connectShop(
  deps: Deps,
  context: SignInContext,
  { origins, webhook }: ShopInput,
): Promise<Shop> {
  const { sessionId, handle } = await seedPerson(deps, context, ayu);
  const appId = await seedApp(deps, sessionId);
  const { client } = context;
  const changes = { allowedOrigins: origins };
  await updateApp(deps, { sessionId, id: appId, changes, client, countLogo: async () => {} });
  const secret = await rotateSecret(deps, { sessionId, appId, client, overlapSeconds: 0 });
  const input = { url: webhook, enabled: true, rotateSecret: true, overlapSeconds: 0 };
  const { secret: webhookSecret = '' } = await setWebhook(deps, { sessionId, appId, input });
  await endSession(deps, sessionId);
  return { appId, secret: secret.value, webhookSecret, payee: pidOf(handle) };
}
