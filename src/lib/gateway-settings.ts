/** The settings of Midtrans. */
export interface MidtransSettings {
  readonly name: 'midtrans';
  readonly serverKey: string;
  /** Where orders are asked about and ended, such as https://api.midtrans.com. */
  readonly apiUrl: string;
  /** Where checkouts are opened, such as https://app.midtrans.com. */
  readonly snapUrl: string;
}

/** The providers of payments and payouts; null where none is configured, and routes that need one answer 503. */
export interface GatewaySettings {
  readonly payments: { readonly name: 'sandbox' } | MidtransSettings | null;
  readonly payouts: { readonly name: 'sandbox' } | null;
}

interface GatewayVariables {
  readonly PAYMENT_GATEWAY?: 'sandbox' | 'midtrans' | undefined;
  readonly PAYOUT_GATEWAY?: 'sandbox' | undefined;
  readonly MIDTRANS_SERVER_KEY?: string | undefined;
  readonly MIDTRANS_BASE_URL?: string | undefined;
}

/**
 * Which providers there are, once `gatewayProblems` found nothing.
 * @param hasSandbox whether the sandbox stands in for what is not configured
 */
export function gatewaySettings(env: GatewayVariables, hasSandbox: boolean): GatewaySettings {
  const { PAYMENT_GATEWAY: payments, MIDTRANS_SERVER_KEY: serverKey } = env;
  const sandbox = hasSandbox ? ({ name: 'sandbox' } as const) : null;
  if (payments !== 'midtrans' || serverKey === undefined) return { payments: sandbox, payouts: sandbox };
  const apiUrl = (env.MIDTRANS_BASE_URL ?? 'https://api.midtrans.com').replace(/\/$/, '');
  // Midtrans itself opens checkouts at another host.
  const snapUrl = apiUrl.replace(/^https:\/\/api(\.sandbox)?\.midtrans\.com$/, 'https://app$1.midtrans.com');
  return { payments: { name: 'midtrans', serverKey, apiUrl, snapUrl }, payouts: sandbox };
}

/** Half a configuration would fail only when somebody pays. */
export function* gatewayProblems(
  env: GatewayVariables,
  production: boolean,
): Generator<[keyof GatewayVariables, string]> {
  for (const name of ['PAYMENT_GATEWAY', 'PAYOUT_GATEWAY'] as const) {
    if (production && env[name] === 'sandbox') yield [name, 'must not be sandbox in production'];
  }
  if (env.PAYMENT_GATEWAY === 'midtrans') {
    if (env.MIDTRANS_SERVER_KEY !== undefined) return;
    return yield ['MIDTRANS_SERVER_KEY', 'must be set when PAYMENT_GATEWAY is midtrans'];
  }
  for (const name of ['MIDTRANS_SERVER_KEY', 'MIDTRANS_BASE_URL'] as const) {
    if (env[name] !== undefined) return yield ['PAYMENT_GATEWAY', `must be midtrans when ${name} is set`];
  }
}
