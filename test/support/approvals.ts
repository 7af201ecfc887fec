import type { Inquiry } from '../../src/features/transfer/schema.ts';
import { type Browser, json } from './browser.ts';
import { fundedWallet, newHolder } from './money.ts';
import type { Member } from './people.ts';
import { decide, decisionFields } from './popup.ts';
import { makeChannel } from './popup-channel.ts';
import type { Target } from './target.ts';
import { credentials, newRelation, type Relation } from './token.ts';

/** A person with money, a shop, and the app that requests the payments. */
export interface PayStage extends Relation {
  readonly shop: Member;
  readonly origin: string;
  /** A call from the app's page, where the person is signed in. */
  call(path: string, body: object, browser?: Browser, headers?: Record<string, string>): Promise<Response>;
  /** Makes a transfer inquiry like the app's page. */
  inquire(amount?: number): Promise<Inquiry>;
}

let count = 0;

export async function newPayStage(target: Target): Promise<PayStage> {
  // The apps of an origin are cached for a minute, so each app has its own origin.
  count += 1;
  const allowedOrigins = [`https://shop-${count}.example.com`];
  const relation = await newRelation(target, {
    scopes: ['openid', 'fiat:transfer'],
    allowedOrigins,
    redirectUris: allowedOrigins.map((each) => `${each}/callback`),
  });
  const shop = await newHolder(target);
  await relation.person.browser.fetch('/v1/wallet', { method: 'POST' });
  await fundedWallet(target, relation.person.handle, 100_000);
  const [origin = ''] = relation.app.allowedOrigins;
  // The service looks up at most ten new origins a second, and fast tests create more.
  await target.advance(1);
  const call: PayStage['call'] = (path, body, browser = relation.person.browser, headers = {}) => {
    const init = json('POST', body);
    const page = { Origin: origin, 'X-App-Id': relation.app.id };
    return browser.fetch(path, { ...init, headers: { ...init.headers, ...page, ...headers } });
  };
  async function inquire(amount = 5000): Promise<Inquiry> {
    const asked = await call('/v1/fiat/transfers/inquiry', { to: `${shop.handle}@pid`, amount });
    if (asked.status !== 200) throw new Error(`no inquiry: ${asked.status} ${await asked.text()}`);
    return (await asked.json()) as Inquiry;
  }
  return { ...relation, shop, origin, call, inquire };
}

/** One approval request, from its opener's side and its popup's. */
export interface Approval {
  readonly id: string;
  readonly verifier: string;
  readonly challenge: string;
  readonly inquiryId: string;
  register(fields?: object, browser?: Browser, headers?: Record<string, string>): Promise<Response>;
  /** The same, made by the app's back end. */
  registerByBackEnd(fields?: object, headers?: Record<string, string>): Promise<Response>;
  ask(action: 'poll' | 'cancel', verifier?: string): Promise<Response>;
  poll(): Promise<Record<string, unknown>>;
  show(browser?: Browser): Promise<Response>;
  /** Presses one of the page's buttons, optionally with changed fields. */
  decide(
    decision: 'approved' | 'denied',
    changes?: Record<string, string>,
    browser?: Browser,
  ): Promise<Response>;
  /** Redeems it like the app's page. */
  confirm(fields?: object, browser?: Browser): Promise<Response>;
}

/** The channel of a request that is not registered yet. */
export function approvalOf(stage: PayStage, inquiryId: string): Approval {
  const { target, person, call, origin } = stage;
  const { id, verifier, challenge } = makeChannel();
  const body = { id, kind: 'approval', challenge, inquiryId };
  const approval: Approval = {
    id,
    verifier,
    challenge,
    inquiryId,
    register: (fields = {}, browser = person.browser, headers = {}) =>
      call('/v1/popup/requests', { ...body, ...fields }, browser, headers),
    registerByBackEnd(fields = {}, headers = credentials(stage.app)) {
      const init = json('POST', { ...body, origin, ...fields });
      return target.request('/v1/popup/requests', { ...init, headers: { ...init.headers, ...headers } });
    },
    ask: (action, given = verifier) => call(`/v1/popup/requests/${id}/${action}`, { verifier: given }),
    poll: async () => (await (await approval.ask('poll')).json()) as Record<string, unknown>,
    show: (browser = person.browser) => browser.navigate(`/popup/approve?c=${id}`),
    async decide(decision, changes = {}, browser = person.browser) {
      const fields = await decisionFields(await approval.show(browser));
      return decide(target, browser, id, { ...fields, decision, ...changes });
    },
    confirm: (fields = {}, browser = person.browser) =>
      call('/v1/fiat/transfers/confirm', { inquiryId, approvalId: id, verifier, ...fields }, browser),
  };
  return approval;
}

/** A registered request for a transfer of this amount. */
export async function askApproval(stage: PayStage, amount = 5000): Promise<Approval> {
  const { id } = await stage.inquire(amount);
  const approval = approvalOf(stage, id);
  const answer = await approval.register();
  if (answer.status !== 200) throw new Error(`not registered: ${answer.status} ${await answer.text()}`);
  return approval;
}

/** A request approved by the payer. */
export async function approved(stage: PayStage, amount = 5000): Promise<Approval> {
  const approval = await askApproval(stage, amount);
  const answer = await approval.decide('approved');
  if (answer.status !== 303) throw new Error(`not approved: ${answer.status} ${await answer.text()}`);
  return approval;
}
