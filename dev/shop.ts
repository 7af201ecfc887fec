import { run, sql } from '../src/db/database.ts';
import type { Deps } from '../src/deps.ts';
import { createApp, listApps } from '../src/features/app/app.ts';
import { rotateSecret } from '../src/features/app/secret.ts';
import { markApp } from '../src/features/app/statements.ts';
import { updateApp } from '../src/features/app/update.ts';
import { endSession } from '../src/features/session/session.ts';
import type { SignInContext } from '../src/features/sign-in/context.ts';
import { setWebhook } from '../src/features/webhook/webhook.ts';
import { pidOf } from '../src/lib/id.ts';
import { appAt, seedPerson } from './demo.ts';
import { giveMoney } from './money.ts';
import { shopkeeper } from './people.ts';
import type { Shop, ShopInput } from './schema.ts';

/**
 * Connects the demo shop, which runs alongside the service: its page and its webhook receiver. The owner has a wallet,
 * and the app is checked. Secrets are shown only once, so each call creates new ones.
 */
export async function connectShop(
  deps: Deps,
  context: SignInContext,
  { origins, webhook }: ShopInput,
): Promise<Shop> {
  const { sessionId, handle } = await seedPerson(deps, context, shopkeeper);
  const { client } = context;
  const app = { ...appAt(shopkeeper.name, origins[0] ?? ''), allowedOrigins: origins };
  const { data } = await listApps(deps, sessionId, { limit: 100 });
  const known = data.find(({ name }) => name === app.name);
  const { id: appId } = known ?? (await createApp(monthAgo(deps), { sessionId, handle }, app));
  const { allowedOrigins, homepageUrl } = app;
  await updateApp(deps, {
    sessionId,
    handle,
    id: appId,
    changes: { allowedOrigins, homepageUrl },
    client,
    countLogo: async () => {},
  });
  const mark = { status: null, checked: true, firstParty: null, tokenLimit: null };
  await run(deps.db, { change: [markApp(appId, { ...mark, now: deps.now(), when: sql`1` })] });
  const secret = await rotateSecret(deps, { sessionId, appId, client, overlapSeconds: 0 });
  const input = { url: webhook, enabled: true, rotateSecret: true, overlapSeconds: 0 };
  const { secret: webhookSecret = '' } = await setWebhook(deps, { sessionId, appId, input });
  await endSession(deps, sessionId);
  await giveMoney(deps, { to: pidOf(handle), amount: 100_000, once: true });
  return { appId, secret: secret.value, webhookSecret, payee: pidOf(handle) };
}

/** The shop's app is backdated, because approvals for an app younger than a week show a warning. */
function monthAgo(deps: Deps): Deps {
  return { ...deps, now: () => deps.now() - 30 * 86_400_000 };
}
