import type { Deps } from '../../deps.ts';
import { fromUtf8, toBase64 } from '../../lib/encoding.ts';
import { isSameSecret } from '../../lib/oslo.ts';
import { devGatewayPath } from '../../lib/page-paths.ts';
import { deriveKeys, type SecretKeys, signWebhook } from '../../lib/secret.ts';
import { callGateway, expectClaims, type GatewayAnswer } from './call.ts';
import {
  GatewayRefused,
  type PaymentGateway,
  type PaymentStatus,
  type Payout,
  type PayoutGateway,
  type PayoutStatus,
} from './gateway.ts';
import { sandboxAccount, sandboxNotification, sandboxPayoutStatus, sandboxStatus } from './schema.ts';

const toleranceMs = 300_000;

/** The banks that the sandbox pays out to. */
export const sandboxBanks = [
  { code: 'BCA', name: 'Bank Central Asia' },
  { code: 'BNI', name: 'Bank Negara Indonesia' },
  { code: 'BRI', name: 'Bank Rakyat Indonesia' },
  { code: 'MANDIRI', name: 'Bank Mandiri' },
] as const;

/** The payment and payout provider under `/dev/gateway`. */
export function createSandbox(deps: Deps): PaymentGateway & PayoutGateway {
  const at = (id: string, part: string) =>
    `${deps.config.origin}${devGatewayPath}/${encodeURIComponent(id)}/${part}`;
  return {
    name: 'sandbox',
    async createCheckout({ id, ...order }) {
      expectTaken(await callGateway(deps, { method: 'PUT', url: at(id, 'order'), body: order }));
      const url = `${deps.config.origin}${devGatewayPath}/${encodeURIComponent(id)}`;
      return { session: id, url, expiresAt: order.expiresAt };
    },
    verifyNotification: async (body, headers) => verify(deps, fromUtf8(body), headers),
    async getStatus(orderId): Promise<PaymentStatus> {
      const answer = await callGateway(deps, { method: 'GET', url: at(orderId, 'order') });
      if (answer.status === 404) return { state: 'unknown', payments: [] };
      const { orderId: named, ...status } = sandboxStatus.parse(answer.body);
      await expectClaims(deps, orderId, { orderId: named === orderId });
      return status;
    },
    async cancelCheckout(orderId) {
      expectTaken(await callGateway(deps, { method: 'DELETE', url: at(orderId, 'order') }));
    },
    listBanks: async () => sandboxBanks,
    async inquireAccount({ bankCode, accountNumber }) {
      if (!sandboxBanks.some(({ code }) => code === bankCode)) return undefined;
      const answer = await callGateway(deps, { method: 'GET', url: at(accountNumber, 'account') });
      return answer.status === 404 ? undefined : sandboxAccount.parse(answer.body).name;
    },
    async createPayout(payout) {
      const { id, amount, destination } = payout;
      const answer = await callGateway(deps, {
        method: 'PUT',
        url: at(id, 'payout'),
        body: { amount, destination },
      });
      return payoutOf(deps, payout, expectTaken(answer));
    },
    verifyCallback: async (body, headers) => verify(deps, fromUtf8(body), headers),
    async getPayout(payout) {
      const answer = await callGateway(deps, { method: 'GET', url: at(payout.id, 'payout') });
      return answer.status === 404 ? { state: 'unknown' } : payoutOf(deps, payout, answer);
    },
  };
}

/** @throws GatewayRefused */
function expectTaken(answer: GatewayAnswer): GatewayAnswer {
  if (answer.status >= 400) throw new GatewayRefused(`status ${answer.status}`);
  return answer;
}

/** @throws GatewayContradicted */
async function payoutOf(
  deps: Deps,
  asked: Pick<Payout, 'id' | 'amount'>,
  { body }: GatewayAnswer,
): Promise<PayoutStatus> {
  const { id, amount, currency, failure, ...status } = sandboxPayoutStatus.parse(body);
  await expectClaims(deps, asked.id, {
    id: id === asked.id,
    amount: amount === asked.amount,
    currency: currency === 'IDR',
  });
  return failure === undefined ? status : { ...status, failure };
}

/** The order in a notification signed as Standard Webhooks specifies within the last five minutes. */
function verify(deps: Deps, body: string, headers: Headers): string | undefined {
  const header = (name: string) => headers.get(`webhook-${name}`) ?? '';
  const [id, timestamp] = [header('id'), header('timestamp')];
  if (!(Math.abs(deps.now() - Number(timestamp) * 1000) <= toleranceMs)) return undefined;
  const signatures = header('signature').split(' ');
  const isSigned = sandboxSecrets(deps.config.secretKeys).some((secret) => {
    const own = signWebhook(secret, `${id}.${timestamp}.${body}`);
    return signatures.some((signature) => isSameSecret(signature, own));
  });
  return isSigned ? sandboxNotification.parse(JSON.parse(body)).data.orderId : undefined;
}

/**
 * Returns the Standard Webhooks secrets that may sign sandbox notifications, the current one first.
 */
export function sandboxSecrets(secretKeys: SecretKeys): string[] {
  const keys = deriveKeys(deriveKeys(secretKeys, 'sandbox'), 'webhook');
  return keys.map((key) => `whsec_${toBase64(key)}`);
}
