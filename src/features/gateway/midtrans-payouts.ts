import * as z from 'zod/mini';
import type { MidtransPayoutSettings } from '../../config/gateway-settings.ts';
import type { Deps } from '../../deps.ts';
import { fromUtf8, toBase64, utf8 } from '../../lib/encoding.ts';
import { isSameSecret } from '../../lib/oslo.ts';
import { callGateway, expectClaims, type GatewayAnswer } from './call.ts';
import {
  GatewayAmbiguous,
  GatewayRefused,
  GatewayUnavailable,
  type Payout,
  type PayoutGateway,
  type PayoutStatus,
  type SentPayout,
} from './gateway.ts';
import { amountOf, parseJson, sha512 } from './midtrans.ts';

/** States by a payout's `status`. A completed payout that failed afterwards was returned by the bank. */
const states: Readonly<Record<string, PayoutStatus['state']>> = {
  queued: 'pending',
  approved: 'pending',
  processed: 'pending',
  completed: 'paid',
  rejected: 'failed',
  failed: 'failed',
};

const text = z.string();
const banksAnswer = z.object({ beneficiary_banks: z.array(z.object({ code: text, name: text })) });
const accountAnswer = z.object({ account_name: text, account_no: text });
const createdAnswer = z.object({ payouts: z.tuple([z.object({ status: text, reference_no: text })]) });
const detailsAnswer = z.object({
  reference_no: text,
  amount: text,
  notes: text,
  status: text,
  error_message: z.optional(text),
});
const errorAnswer = z.object({ error_message: text });
const callback = z.object({ reference_no: text });

/** Our id as a note, which may contain only letters, digits and spaces. */
const noteOf = (id: string) => id.replace('_', ' ');

/**
 * Midtrans Payouts, formerly Iris: bank transfers from a deposit at Midtrans
 * (https://docs.midtrans.com/reference/payouts-overview). One key creates a payout, another approves it. Midtrans finds
 * a payout only by its own reference, so a creation whose response was lost is repeated: all calls with the same
 * idempotency key create one payout, and keys are valid for a day.
 */
export function createMidtransPayouts(deps: Deps, settings: MidtransPayoutSettings): PayoutGateway {
  const { creatorKey, approverKey, merchantKey, url } = settings;
  const call = (method: 'GET' | 'POST', path: string, { key = creatorKey, body, once }: CallOptions = {}) => {
    const headers = {
      Authorization: `Basic ${toBase64(utf8(`${key}:`))}`,
      ...(once && { 'X-Idempotency-Key': once }),
    };
    return callGateway(deps, { method, url: `${url}/api/v1/${path}`, headers, ...(body && { body }) });
  };

  /**
   * Approves a payout that matches the request. The next check shows the result; a payout that is still queued is
   * approved again.
   */
  async function approve({ id }: Pick<Payout, 'id'>, reference: string): Promise<void> {
    const body = { reference_nos: [reference] };
    const failure = await call('POST', 'payouts/approve', {
      key: approverKey,
      body,
      once: `${id}-approve`,
    }).then(
      (answer) => (answer.status < 400 ? null : messageOf(answer)),
      (error: unknown) => String(error),
    );
    if (failure !== null) deps.log.error('gateway.not_approved', { id, reason: failure });
  }

  return {
    name: 'midtrans',
    async listBanks() {
      const { body } = await call('GET', 'beneficiary_banks');
      const found = banksAnswer.safeParse(body).data;
      if (!found) throw new GatewayUnavailable('no list of banks');
      return found.beneficiary_banks;
    },
    async inquireAccount({ bankCode, accountNumber }) {
      const query = new URLSearchParams({ bank: bankCode, account: accountNumber });
      const answer = await call('GET', `account_validation?${query}`);
      if (answer.status === 400 || answer.status === 404) return undefined;
      const found = accountAnswer.safeParse(answer.body).data;
      if (!found || found.account_no !== accountNumber)
        throw new GatewayUnavailable('no holder of the account');
      return found.account_name;
    },
    async createPayout(payout) {
      const answer = await call('POST', 'payouts', { body: bodyOf(payout), once: payout.id });
      const [created] = createdAnswer.safeParse(answer.body).data?.payouts ?? [];
      if (!created) throw refusalOf(answer);
      return { state: 'pending', payoutId: created.reference_no };
    },
    async getPayout(payout) {
      if (payout.payout === null) return { state: 'unknown' };
      const answer = await call('GET', `payouts/${encodeURIComponent(payout.payout)}`);
      if (answer.status === 404) return { state: 'unknown' };
      const found = detailsAnswer.safeParse(answer.body).data;
      if (!found) throw new GatewayUnavailable(messageOf(answer));
      await expectClaims(deps, payout.id, {
        reference_no: found.reference_no === payout.payout,
        notes: found.notes === noteOf(payout.id),
        amount: amountOf(found.amount) === payout.amount,
      });
      if (found.status === 'queued' && payout.status === 'submitted') await approve(payout, payout.payout);
      return { ...statusOf(deps, payout, found), payoutId: payout.payout };
    },
    async verifyCallback(body, headers) {
      const payload = fromUtf8(body);
      const own = await sha512(`${payload}${merchantKey}`);
      const given = headers.get('Iris-Signature');
      if (given === null || !isSameSecret(given, own)) return undefined;
      return callback.safeParse(parseJson(payload)).data?.reference_no;
    },
  };
}

interface CallOptions {
  readonly key?: string;
  readonly body?: object;
  /** The idempotency key. */
  readonly once?: string;
}

/** The body is the same for each retry, because Midtrans rejects a different body under the same key. */
function bodyOf({ id, amount, holder, destination }: Payout) {
  const payout = {
    beneficiary_name: holder,
    beneficiary_account: destination.accountNumber,
    beneficiary_bank: destination.bankCode,
    amount: `${amount}.00`,
    notes: noteOf(id),
  };
  return { payouts: [payout] };
}

/** The reason why nothing was created. A key used with another body may have created a payout. */
function refusalOf(answer: GatewayAnswer): Error {
  const message = messageOf(answer);
  if (answer.status < 400 || answer.status === 404 || /idempotency/i.test(message))
    return new GatewayAmbiguous(message);
  return new GatewayRefused(message);
}

function messageOf({ status, body }: GatewayAnswer): string {
  return errorAnswer.safeParse(body).data?.error_message ?? `status ${status}`;
}

function statusOf(
  deps: Deps,
  payout: SentPayout,
  { status, error_message: failure }: z.infer<typeof detailsAnswer>,
): PayoutStatus {
  const state = states[status];
  if (state === undefined) deps.log.error('gateway.unknown_status', { gateway: 'midtrans', status });
  if (state === 'failed' && payout.status === 'paid') return { state: 'returned' };
  return { state: state ?? 'pending', ...(failure !== undefined && { failure }) };
}
