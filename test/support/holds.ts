import type { Inquiry, Transfer } from '../../src/features/transfer/schema.ts';
import { type Approval, approvalOf, newPayStage, type PayStage } from './approvals.ts';
import { markFirstParty } from './apps.ts';
import { json } from './browser.ts';
import type { Target } from './target.ts';
import { post } from './token.ts';

/** A person with money, a shop, and an app that creates holds. */
export interface HoldStage extends PayStage {
  /** Makes a hold inquiry like the app's page. */
  inquireHold(amount: number): Promise<Inquiry>;
  /** The payer's approval of the inquiry. */
  approvedHold(amount: number): Promise<Approval>;
  hold(approval: Approval): Promise<Response>;
  /** Holds this amount, with the person's approval. */
  held(amount: number): Promise<Transfer>;
}

export async function newHoldStage(target: Target): Promise<HoldStage> {
  const stage = await newPayStage(target);
  await markFirstParty(target, stage.app.id);
  const { call, shop } = stage;
  async function inquireHold(amount: number): Promise<Inquiry> {
    const asked = await call('/v1/fiat/transfers/inquiry', { to: `${shop.handle}@pid`, amount, hold: true });
    return (await asked.json()) as Inquiry;
  }
  async function approvedHold(amount: number): Promise<Approval> {
    const approval = approvalOf(stage, (await inquireHold(amount)).id);
    await approval.register();
    await approval.decide('approved');
    return approval;
  }
  const hold = ({ id, verifier, inquiryId }: Approval) =>
    call(`/v1/fiat/transfers/${inquiryId}/hold`, { approvalId: id, verifier });
  async function held(amount: number): Promise<Transfer> {
    const answer = await hold(await approvedHold(amount));
    if (answer.status !== 200) throw new Error(`not held: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Transfer;
  }
  return { ...stage, inquireHold, approvedHold, hold, held };
}

/** The app's own access token. */
export async function ownToken(stage: Pick<PayStage, 'app' | 'target'>): Promise<string> {
  const answer = await post(stage, '/v1/auth/token', { grant_type: 'client_credentials' });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** A back end's request about a transfer, with a token. */
export function askAs(target: Target, token: string, path: string, body?: object): Promise<Response> {
  const init = body === undefined ? {} : json('POST', body);
  const headers = { ...init.headers, Authorization: `Bearer ${token}` };
  return target.request(`/v1/fiat/transfers/${path}`, { ...init, headers });
}
