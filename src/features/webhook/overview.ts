import { together } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { Page, PageQuery } from '../../lib/page.ts';
import { getApp } from '../app/app.ts';
import type { App } from '../app/schema.ts';
import { listEvents } from './events.ts';
import type { ListedEvent, Webhook } from './schema.ts';
import { getWebhook } from './webhook.ts';

/** An app with its webhook and deliveries. */
export interface AppOverview {
  readonly app: App;
  /** Null if the app has no webhook. */
  readonly webhook: Webhook | null;
  readonly events: Page<ListedEvent>;
}

/** Reads an app's overview in one round trip. @throws AppError unauthenticated, app_not_found */
export async function readOverview(
  deps: Deps,
  { sessionId, appId, page }: { sessionId: string; appId: string; page: PageQuery },
): Promise<AppOverview> {
  const reads = { ...deps, db: together(deps.db) };
  const [app, webhook, events] = await Promise.all([
    getApp(reads, sessionId, appId),
    getWebhook(reads, { sessionId, appId }).catch(noneIfMissing),
    listEvents(reads, { sessionId, appId, page }),
  ]);
  return { app, webhook, events };
}

function noneIfMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'webhook_not_found') return null;
  throw error;
}
