import type { Core } from './context.ts';
import type { ApiError, Result } from './errors.ts';
import type {
  Deposit,
  FiatApi,
  Inquiry,
  SyncedDeposit,
  Transfer,
  TransferInput,
  WalletApi,
} from './money-types.ts';
import type { PopupSteps } from './popup-run.ts';
import type { ApprovalGrant, ApprovalRequest } from './popup-types.ts';

/** The `client.fiat` methods that need no window, with results instead of errors. */
export type Fiat = {
  [Name in Exclude<keyof FiatApi, 'transferWithPopup'>]: (
    ...args: Parameters<FiatApi[Name]>
  ) => Promise<Result<Awaited<ReturnType<FiatApi[Name]>>>>;
};

const transferPath = '/v1/fiat/transfers';

/** The secrets of approvals by their id. A grant cannot redeem an approval. */
const verifiers = new WeakMap<ApprovalGrant, string>();

const isError = (answer: object): answer is ApiError => 'statusCode' in answer;

/** Announces a change, unless it was rejected. */
async function changed<T extends object>({ store }: Core, asked: Promise<Result<T>>): Promise<Result<T>> {
  const answer = await asked;
  if (!isError(answer)) store.emit('wallet_changed', undefined);
  return answer;
}

/** This file imports only types, so it loads in one request. */
export function createWallet(core: Core): WalletApi {
  const { call } = core;
  const read =
    (name: string) =>
    <T>({ signal, ...query }: { signal?: AbortSignal } = {}): Promise<Result<T>> =>
      // JSON omits undefined values, such as the cursor of the first page.
      call(`/v1/wallet${name}?${new URLSearchParams(JSON.parse(JSON.stringify(query)))}`, { signal });
  return {
    get: read(''),
    create: () => changed(core, call('/v1/wallet', { method: 'POST' })),
    balance: read('/balance'),
    transactions: read('/transactions'),
    statement: read('/statement'),
  };
}

export function createFiat(core: Core): Fiat {
  const { call } = core;
  const post = <T>(path: string, body?: object, key?: string) => call<T>(path, { method: 'POST', body, key });
  const moved = (action: string, body?: object) =>
    changed(core, post<Transfer>(`${transferPath}/${action}`, body));
  const redeemed = (approval?: ApprovalGrant) => ({
    approvalId: approval?.approvalId,
    verifier: approval && verifiers.get(approval),
  });
  const pathOf = (id: string) => `/v1/fiat/deposits/${encodeURIComponent(id)}`;
  return {
    async createCheckout(body) {
      // `randomUUID` exists only with HTTPS and on localhost.
      const key = `${crypto.getRandomValues(new Uint32Array(4))}`;
      const ask = () => post<Deposit>(pathOf('checkout'), body, key);
      const answer = await ask();
      return isError(answer) && !answer.statusCode ? ask() : answer;
    },
    getDeposit: (id) => call(pathOf(id)),
    syncDeposit: (id) => changed(core, post<SyncedDeposit>(`${pathOf(id)}/sync`)),
    inquireTransfer: (input) => post<Inquiry>(`${transferPath}/inquiry`, input),
    confirmTransfer: ({ inquiryId, approval }) => moved('confirm', { inquiryId, ...redeemed(approval) }),
    holdTransfer: ({ inquiryId, approval }) =>
      moved(`${encodeURIComponent(inquiryId)}/hold`, redeemed(approval)),
  };
}

/** The steps of `popup.approve` or, with a transfer, of `fiat.transferWithPopup`. */
export function approvalSteps(core: Core, input: ApprovalRequest | TransferInput): PopupSteps {
  const fiat = createFiat(core);
  const isTransfer = 'to' in input;
  let inquiryId = 'inquiryId' in input ? input.inquiryId : '';

  /** The same transfer is confirmed again if the response was lost, so that the outcome is always known. */
  async function confirm(approval?: ApprovalGrant): Promise<object> {
    for (let tries = 1; ; tries += 1) {
      const answer = await fiat[isTransfer && input.hold ? 'holdTransfer' : 'confirmTransfer']({
        inquiryId,
        approval,
      });
      if (!isError(answer)) return answer;
      const { statusCode } = answer;
      if ((statusCode && statusCode < 500 && statusCode !== 429) || tries === 5) return { failed: answer };
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
  }

  return {
    body: {},
    known: 'verifier' in input ? input.verifier : undefined,
    async send(path, request) {
      if ('verifier' in input) return {};
      if (isTransfer && !inquiryId) {
        const inquiry = await fiat.inquireTransfer(input);
        if (isError(inquiry)) return { failed: inquiry };
        inquiryId = inquiry.id;
        if (!inquiry.requiresApproval) return { approved: true };
      }
      return core.call(path, { ...request, body: { ...(request?.body as object), inquiryId } });
    },
    async redeem(approvalId, verifier, { expiresAt } = {}) {
      if (!expiresAt) return confirm();
      const approval = { approvalId, expiresAt };
      verifiers.set(approval, verifier);
      return isTransfer ? confirm(approval) : approval;
    },
  };
}
