/** The Server Key that the stand-in for Midtrans knows; that of the provider's public sample notifications. */
export const midtransKey = 'SB-Mid-server-test';

/**
 * The fate of the next call about an order: a status of HTTP, no answer at all, or the connection ends before or after
 * the call had its effect.
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
  /** The amount given back in all, and its refunds and chargebacks. */
  readonly refund_amount?: string;
  readonly refunds?: readonly { readonly refund_chargeback_id: number; readonly refund_amount: string }[];
}

export type MidtransNotification = MidtransTransaction & { readonly signature_key: string };

/** A call that the stand-in took about an order. */
export interface MidtransCall {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** Acts at Midtrans, and asks it. */
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
    /** Plans what happens to the next calls about an order. */
    fail: (orderId: string, ...faults: MidtransFault[]) => control(orderId, 'faults', faults),
    /** The next answer about the order's status says this instead of the truth, after it was signed. */
    lie: (orderId: string, lie: Partial<MidtransNotification>) => control(orderId, 'lie', lie),
    /** The payer chooses a method on a page of Snap: only then is there a transaction. @param page the first is 0 */
    choose: (orderId: string, paymentType: string, page = 0) =>
      control<MidtransTransaction>(orderId, 'choose', { payment_type: paymentType, page }),
    /** Changes the order's transaction. @param which the newest unless given */
    change: (orderId: string, change: Partial<MidtransTransaction>, which?: number) =>
      control<MidtransTransaction>(orderId, 'change', { change, which }),
    /** The notification of the order's transaction as it is now. */
    notification: (orderId: string) => control<MidtransNotification>(orderId, 'notification'),
    /** The settlement report from the provider's own books. @param doubled orders whose lines stand there twice */
    report: (doubled: readonly string[] = []) => control<string>('all', 'report', doubled),
    /** Returns its payouts as on the bank's statement. */
    payouts: () => control<string>('all', 'payouts'),
    calls: (orderId: string) => control<MidtransCall[]>(orderId, 'calls'),
  };
}
