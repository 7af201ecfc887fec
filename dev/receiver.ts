import { all, sql, statement } from '../src/db/database.ts';
import type { Deps } from '../src/deps.ts';
import { decryptSecret } from '../src/features/webhook/secret.ts';
import { isoTime } from '../src/lib/id.ts';
import { devReceiverPath } from '../src/lib/page-paths.ts';
import { signWebhook } from '../src/lib/secret.ts';

/** A delivery as received by the sandbox. */
export interface Delivery {
  readonly id: string;
  readonly at: string;
  readonly body: string;
  /** The app whose secret signed it; null if the signature is invalid. */
  readonly appId: string | null;
}

interface Arrival {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

const mostKept = 50;
const toleranceSeconds = 300;

/** The newest deliveries first; a restart clears them. */
export class Receiver {
  #kept: readonly Delivery[] = [];

  get deliveries(): readonly Delivery[] {
    return this.#kept;
  }

  async take(deps: Deps, arrival: Arrival): Promise<Delivery> {
    const { id, body } = arrival;
    const delivery = { id, body, at: isoTime(deps.now()), appId: await signerOf(deps, arrival) };
    this.#kept = [delivery, ...this.#kept].slice(0, mostKept);
    return delivery;
  }
}

/** The app that signed a delivery (Standard Webhooks), among those with this receiver as their webhook. */
async function signerOf(deps: Deps, { id, timestamp, signature, body }: Arrival): Promise<string | null> {
  if (!(Math.abs(deps.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return null;
  const own = `${deps.config.origin}${devReceiverPath}`;
  const rows = await all(
    deps.db,
    statement<{ app_id: string; secret_enc: string }>(
      sql`SELECT app_id, secret_enc FROM webhooks WHERE url = ${own}`,
    ),
  );
  const given = signature.split(' ');
  for (const { app_id: app, secret_enc: sealed } of rows) {
    const secret = await decryptSecret(deps, app, sealed);
    if (secret !== null && given.includes(signWebhook(secret, `${id}.${timestamp}.${body}`))) return app;
  }
  return null;
}
