import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './mail-servers.ts';

export const payoutKeys = { creator: 'IRIS-creator', approver: 'IRIS-approver', merchant: 'IRIS-merchant' };

/** A payout at Midtrans, as `GET /payouts/:reference_no` shows it. */
export interface MidtransPayout {
  reference_no: string;
  amount: string;
  beneficiary_name: string;
  beneficiary_account: string;
  bank: string;
  notes: string;
  status: string;
  error_message?: string;
}

/** The fate of the next call: an HTTP status, or an end of the connection before or after the call took effect. */
type Fault = number | 'drop' | 'drop after';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: unknown;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const refuse = (status: number, message: string): Answer => ({
  status,
  body: { error_message: message, errors: message },
});

/**
 * Imitates Midtrans Payouts on a free port, according to its documentation: with a creator's and an approver's key, one
 * payout for all calls with one idempotency key, which is valid for a day, and payouts found only by their reference.
 */
export async function startMidtransPayouts() {
  const payouts = new Map<string, MidtransPayout>();
  const once = new Map<string, { body: string; answer: Answer }>();
  const faults: Fault[] = [];
  const calls: Call[] = [];
  let lie: Partial<MidtransPayout> = {};
  let balance = 1_000_000;

  function create(text: string): Answer {
    const [wanted] = JSON.parse(text).payouts;
    if (!/^[\w .,'-]+$/.test(wanted.beneficiary_name))
      return refuse(400, 'beneficiary_name has invalid characters');
    if (!/^[A-Za-z0-9 ]{1,100}$/.test(wanted.notes)) return refuse(400, 'notes must be alphanumeric');
    if (!/^\d+(\.0{1,2})?$/.test(wanted.amount)) return refuse(400, 'amount is invalid');
    if (wanted.beneficiary_account === '1111111111') return refuse(400, 'beneficiary_account is blocked');
    const { beneficiary_bank: bank, ...rest } = wanted;
    const reference = randomBytes(7).toString('hex');
    payouts.set(reference, { ...rest, bank, reference_no: reference, status: 'queued' });
    return { status: 201, body: { payouts: [{ status: 'queued', reference_no: reference }] } };
  }

  function approve(text: string): Answer {
    const [payout] = JSON.parse(text).reference_nos.map((reference: string) => payouts.get(reference));
    if (payout?.status !== 'queued') return refuse(400, 'payout is not queued');
    if (Number(payout.amount) > balance) return refuse(400, 'Partner does not have sufficient balance');
    balance -= Number(payout.amount);
    payout.status = 'approved';
    return { status: 202, body: { status: 'ok' } };
  }

  function act(
    method: string,
    { pathname, searchParams }: URL,
    { key, text }: { key: string; text: string },
  ): Answer {
    const path = pathname.replace('/iris/api/v1/', '');
    const isApproval = path === 'payouts/approve';
    if (key !== (isApproval ? payoutKeys.approver : payoutKeys.creator)) return refuse(401, 'Unauthorized');
    if (path === 'beneficiary_banks')
      return { status: 200, body: { beneficiary_banks: [{ code: 'bca', name: 'Bank Central Asia' }] } };
    if (path === 'account_validation') {
      const account = searchParams.get('account');
      if (account === '0000000000') return refuse(400, 'Account does not exist');
      return {
        status: 200,
        body: { account_name: 'BUDI SANTOSO', account_no: account, bank_name: searchParams.get('bank') },
      };
    }
    if (method === 'POST') return isApproval ? approve(text) : create(text);
    const found = payouts.get(path.replace('payouts/', ''));
    return found ? { status: 200, body: { ...found, ...lie } } : refuse(404, 'Payout does not exist');
  }

  /** A repeated call gets the same response; another body under the same key is rejected. */
  function actOnce(request: IncomingMessage, text: string): Answer {
    const { method = '', headers, url = '' } = request;
    const key = atob((headers.authorization ?? '').replace('Basic ', '')).replace(/:$/, '');
    calls.push({ method, path: url, key, body: text === '' ? null : JSON.parse(text) });
    const id = headers['x-idempotency-key'];
    const known = typeof id === 'string' ? once.get(id) : undefined;
    if (known) return known.body === text ? known.answer : refuse(400, 'idempotency-key is not unique');
    const answer = act(method, new URL(url, 'http://midtrans'), { key, text });
    if (typeof id === 'string' && answer.status < 400) once.set(id, { body: text, answer });
    return answer;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const fault = faults.shift();
    if (fault === 'drop') return void request.socket.destroy();
    const planned = typeof fault === 'number' ? refuse(fault, 'as planned') : null;
    const { status, body } = planned ?? actOnce(request, Buffer.concat(chunks).toString());
    if (fault === 'drop after') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => void serve(request, response));
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    payouts,
    /** Takes the received calls, oldest first. */
    takeCalls: () => calls.splice(0),
    /** Plans the fate of the next calls. */
    fail: (...next: Fault[]) => void faults.push(...next),
    /** Makes the next responses about a payout report this instead of the truth. */
    lie(next: Partial<MidtransPayout>) {
      lie = next;
    },
    spend(amount: number) {
      balance -= amount;
    },
    /** A day later the idempotency keys have expired at Midtrans. */
    forget: () => once.clear(),
    /** A callback with a signature like Midtrans's. */
    callback(reference: string, merchant = payoutKeys.merchant) {
      const { amount, status } = payouts.get(reference) ?? { amount: '1.00', status: 'completed' };
      const body = JSON.stringify({
        reference_no: reference,
        amount,
        status,
        updated_at: '2026-11-23T00:00:00Z',
      });
      const signature = createHash('sha512')
        .update(body + merchant)
        .digest('hex');
      return { body, headers: { 'Content-Type': 'application/json', 'Iris-Signature': signature } };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
