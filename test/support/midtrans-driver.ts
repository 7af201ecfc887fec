/** The Server Key of the Midtrans stand-in, taken from the provider's public sample notifications. */
export const midtransKey = 'SB-Mid-server-test';

/**
 * The fate of the next call about an order: an HTTP status, no response at all, or an end of the connection before or
 * after the call took effect.
 */
export type MidtransFault = number | 'silence' | 'drop' | 'drop after' | 'large' | 'html';

/** A transaction at Midtrans, as `GET /v2/{order_id}/status` shows it. */
export interface MidtransTransaction {
  readonly status_code: string;
  readonly status_message: string;
  readonly transaction_id: string;
  readonly order_id: string;
  readonly payment_type: string;
  readonly transaction_time: string;
  readonly settlement_time?: string;
  readonly transaction_status: string;
  readonly fraud_status?: string;
  readonly gross_amount: string;
  readonly currency: string;
  /** The total returned, with its refunds and chargebacks. */
  readonly refund_amount?: string;
  readonly refunds?: readonly { readonly refund_chargeback_id: number; readonly refund_amount: string }[];
}

export type MidtransNotification = MidtransTransaction & { readonly signature_key: string };

/** A call about an order, as received by the stand-in. */
export interface MidtransCall {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** Acts at Midtrans, and queries it. */
export function driveMidtrans(url: string) {
  async function control<Answer>(orderId: string, what: string, body: unknown = {}): Promise<Answer> {
    const answer = await fetch(`${url}/control/${encodeURIComponent(orderId)}/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${what} was refused: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }
  return {
    /** Plans the fate of the next calls about an order. */
    fail: (orderId: string, ...faults: MidtransFault[]) => control(orderId, 'faults', faults),
    /** Makes the order's next status response report this instead of the truth, changed after signing. */
    lie: (orderId: string, lie: Partial<MidtransNotification>) => control(orderId, 'lie', lie),
    /** The payer chooses a method on a Snap page, which creates the transaction. @param page the first is 0 */
    choose: (orderId: string, paymentType: string, page = 0) =>
      control<MidtransTransaction>(orderId, 'choose', { payment_type: paymentType, page }),
    /** Changes the order's transaction. @param which the newest by default */
    change: (orderId: string, change: Partial<MidtransTransaction>, which?: number) =>
      control<MidtransTransaction>(orderId, 'change', { change, which }),
    /** The notification of the order's current transaction. */
    notification: (orderId: string) => control<MidtransNotification>(orderId, 'notification'),
    /** The settlement report from the provider's own books. @param doubled orders whose lines occur twice in it */
    report: (doubled: readonly string[] = []) => control<string>('all', 'report', doubled),
    /** Returns its payouts as in the bank statement. */
    payouts: () => control<string>('all', 'payouts'),
    calls: (orderId: string) => control<MidtransCall[]>(orderId, 'calls'),
  };
}
