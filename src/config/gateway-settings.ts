/** The Midtrans settings. */
export interface MidtransSettings {
  readonly name: 'midtrans';
  readonly serverKey: string;
  /** The base URL for querying and cancelling orders, such as https://api.midtrans.com. */
  readonly apiUrl: string;
  /** The base URL for opening checkouts, such as https://app.midtrans.com. */
  readonly snapUrl: string;
}

/** The Midtrans Payouts settings. */
export interface MidtransPayoutSettings {
  readonly name: 'midtrans';
  /** The API keys of the roles that create and approve payouts. */
  readonly creatorKey: string;
  readonly approverKey: string;
  /** The key that signs Midtrans callbacks. */
  readonly merchantKey: string;
  /** For example https://app.midtrans.com/iris. */
  readonly url: string;
}

/** The payment and payout providers; null if none is configured, in which case routes that need one return 503. */
export interface GatewaySettings {
  readonly payments: { readonly name: 'sandbox' } | MidtransSettings | null;
  readonly payouts: { readonly name: 'sandbox' } | MidtransPayoutSettings | null;
  /** Determines whether a card payment is credited when the card is charged or when the provider settles it. */
  readonly cardCredit: 'capture' | 'settlement';
}

interface GatewayVariables {
  readonly PAYMENT_GATEWAY?: 'sandbox' | 'midtrans' | undefined;
  readonly PAYOUT_GATEWAY?: 'sandbox' | 'midtrans' | undefined;
  readonly CARD_CREDIT: 'capture' | 'settlement';
  readonly MIDTRANS_SERVER_KEY?: string | undefined;
  readonly MIDTRANS_BASE_URL?: string | undefined;
  readonly MIDTRANS_PAYOUT_CREATOR_KEY?: string | undefined;
  readonly MIDTRANS_PAYOUT_APPROVER_KEY?: string | undefined;
  readonly MIDTRANS_PAYOUT_MERCHANT_KEY?: string | undefined;
}

const payoutKeys = [
  'MIDTRANS_PAYOUT_CREATOR_KEY',
  'MIDTRANS_PAYOUT_APPROVER_KEY',
  'MIDTRANS_PAYOUT_MERCHANT_KEY',
] as const;

/**
 * Returns the providers, after `gatewayProblems` has found no problems.
 * @param hasSandbox true if the sandbox replaces unconfigured providers
 */
export function gatewaySettings(env: GatewayVariables, hasSandbox: boolean): GatewaySettings {
  const sandbox = hasSandbox ? ({ name: 'sandbox' } as const) : null;
  const apiUrl = (env.MIDTRANS_BASE_URL ?? 'https://api.midtrans.com').replace(/\/$/, '');
  // Midtrans opens checkouts and makes payouts on other hosts.
  const appUrl = apiUrl.replace(/^https:\/\/api(\.sandbox)?\.midtrans\.com$/, 'https://app$1.midtrans.com');
  const { MIDTRANS_SERVER_KEY: serverKey } = env;
  const [creatorKey, approverKey, merchantKey] = payoutKeys.map((name) => env[name]);
  const isPaidOut = env.PAYOUT_GATEWAY === 'midtrans' && creatorKey && approverKey && merchantKey;
  return {
    payments:
      env.PAYMENT_GATEWAY === 'midtrans' && serverKey
        ? { name: 'midtrans', serverKey, apiUrl, snapUrl: appUrl }
        : sandbox,
    payouts: isPaidOut
      ? { name: 'midtrans', creatorKey, approverKey, merchantKey, url: `${appUrl}/iris` }
      : sandbox,
    cardCredit: env.CARD_CREDIT,
  };
}

/** The variables that each provider needs besides its name. */
const parts = { PAYMENT_GATEWAY: ['MIDTRANS_SERVER_KEY'], PAYOUT_GATEWAY: payoutKeys } as const;

/** An incomplete configuration would fail only at the first payment. */
export function* gatewayProblems(
  env: GatewayVariables,
  production: boolean,
): Generator<[keyof GatewayVariables, string]> {
  for (const provider of ['PAYMENT_GATEWAY', 'PAYOUT_GATEWAY'] as const) {
    if (production && env[provider] === 'sandbox') yield [provider, 'must not be sandbox in production'];
    const isMidtrans = env[provider] === 'midtrans';
    for (const name of parts[provider]) {
      if (isMidtrans && env[name] === undefined) yield [name, `must be set when ${provider} is midtrans`];
      if (!isMidtrans && env[name] !== undefined) yield [provider, `must be midtrans when ${name} is set`];
    }
  }
  if (env.MIDTRANS_BASE_URL !== undefined && ![env.PAYMENT_GATEWAY, env.PAYOUT_GATEWAY].includes('midtrans'))
    yield ['PAYMENT_GATEWAY', 'must be midtrans when MIDTRANS_BASE_URL is set'];
}
