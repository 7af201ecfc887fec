import { together } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { Page, PageQuery } from '../../lib/page.ts';
import { getApp } from '../app/app.ts';
import type { App, SecretList } from '../app/schema.ts';
import { listSecrets } from '../app/secret.ts';
import { listEvents } from './events.ts';
import type { ListedEvent, Webhook } from './schema.ts';
import { getWebhook } from './webhook.ts';

/** An app with everything about it that its owner sees. */
export interface AppOverview {
  readonly app: App;
  readonly secrets: SecretList['data'];
  /** Null if the app has none. */
  readonly webhook: Webhook | null;
  readonly events: Page<ListedEvent>;
}

/** Reads an app's overview in one round trip. @throws AppError unauthenticated, app_not_found */
export async function readOverview(
  deps: Deps,
  { sessionId, appId, page }: { sessionId: string; appId: string; page: PageQuery },
): Promise<AppOverview> {
  const reads = { ...deps, db: together(deps.db) };
  const [app, secrets, webhook, events] = await Promise.all([
    getApp(reads, sessionId, appId),
    listSecrets(reads, sessionId, appId),
    getWebhook(reads, { sessionId, appId }).catch(noneIfMissing),
    listEvents(reads, { sessionId, appId, page }),
  ]);
  return { app, secrets: secrets.data, webhook, events };
}

function noneIfMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'webhook_not_found') return null;
  throw error;
}
