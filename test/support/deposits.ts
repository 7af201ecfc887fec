import type { PayAction } from '../../dev/gateway.ts';
import { parseConfig } from '../../src/config.ts';
import type { Deposit } from '../../src/features/deposit/schema.ts';
import { sandboxSecrets } from '../../src/features/gateway/sandbox.ts';
import { signWebhook } from '../../src/lib/secret.ts';
import { type Browser, json } from './browser.ts';
import type { Member } from './people.ts';
import { form } from './sandbox.ts';
import { type Target, testDefaults } from './target.ts';

/** Requests a deposit. */
export function askCheckout(by: Browser, fields: object, key?: string): Promise<Response> {
  const { headers, ...init } = json('POST', fields);
  const keyed = key === undefined ? {} : { 'Idempotency-Key': key };
  return by.fetch('/v1/fiat/deposits/checkout', { ...init, headers: { ...headers, ...keyed } });
}

/** Opens a deposit. */
export async function newDeposit(
  { browser }: Member,
  amount = 50_000,
  fields: object = {},
): Promise<Deposit> {
  const answer = await askCheckout(browser, { amount, ...fields });
  if (answer.status !== 200) throw new Error(`no checkout: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Deposit;
}

type Notice = 'once' | 'twice' | 'disordered' | 'forged' | 'never';

/** Acts as a payer on the sandbox's page, and chooses the notification of the service. */
export async function payAt(
  target: Target,
  { id }: Pick<Deposit, 'id'>,
  action: PayAction,
  notify: Notice = 'never',
): Promise<void> {
  const answer = await target.request(`/dev/gateway/${id}`, form({ action, notify }, target.origin));
  if (answer.status !== 303) throw new Error(`the sandbox refused: ${answer.status} ${await answer.text()}`);
}

let count = 0;

/** A notification as the sandbox signs it. */
export function signedNotice(target: Pick<Target, 'now'>, orderId: string, secret = ownSecret()) {
  count += 1;
  const id = `evt_${count}`;
  const timestamp = String(Math.floor(target.now() / 1000));
  const body = JSON.stringify({ type: 'payment.paid', data: { orderId } });
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signWebhook(secret, `${id}.${timestamp}.${body}`),
  };
  return { method: 'POST', headers, body };
}

export function notice(target: Target, orderId: string, secret = ownSecret()): Promise<Response> {
  return target.request('/v1/gateways/sandbox/webhook', signedNotice(target, orderId, secret));
}

function ownSecret(): string {
  return sandboxSecrets(parseConfig(testDefaults).secretKeys)[0] ?? '';
}

export function sync(by: Browser, id: string): Promise<Response> {
  return by.fetch(`/v1/fiat/deposits/${id}/sync`, { method: 'POST' });
}

/** The deposit as returned to its owner. */
export async function readDeposit({ browser }: Member, id: string): Promise<Deposit> {
  return (await (await browser.fetch(`/v1/fiat/deposits/${id}`)).json()) as Deposit;
}

/** Runs the scheduled jobs, like a cron trigger. */
export async function runJobs(target: Target): Promise<void> {
  const answer = await target.request('/dev/scheduled', { method: 'POST' });
  if (answer.status !== 200) throw new Error(`the jobs failed: ${answer.status} ${await answer.text()}`);
}
