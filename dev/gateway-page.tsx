import { ChoiceField } from '../src/ui/components/field.tsx';
import { Button } from '../src/ui/components/form.tsx';
import type { NoticeWay, PayAction, SandboxOrder } from './gateway.ts';

interface PayProps {
  readonly id: string;
  readonly order: SandboxOrder;
  readonly action: string;
}

const noticeTexts: Readonly<Record<NoticeWay, string>> = {
  once: 'once',
  twice: 'twice',
  disordered: 'out of order: an older notification comes last',
  forged: 'badly signed',
  never: 'never',
};

/** The sandbox's payment page, where the visitor chooses the outcome of an order and the notification. */
export function PayCard({ id, order, action }: PayProps) {
  const { amount, asset, payer, state, payments, returnUrl } = order;
  return (
    <form method="post" action={action} class="card">
      <h1>Sandbox payment</h1>
      <p class="quiet">This stands for the payment provider while you develop. No money moves.</p>
      <dl>
        <dt>Amount</dt>
        <dd>{`${asset} ${amount}`}</dd>
        <dt>Payer</dt>
        <dd>{payer.pid}</dd>
        <dt>Order</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Status</dt>
        <dd>{`${state}${payments.length > 1 ? `, ${payments.length} payments` : ''}`}</dd>
      </dl>
      <ChoiceField id="notify" label="The service is notified" choices={noticeTexts} value="once" />
      <div class="stack">
        {actionsOf(order).map(([value, text]) => (
          <Button
            {...{ name: 'action', value, text, full: true }}
            {...(value === 'pay' && state === 'open' ? { look: 'main' } : {})}
          />
        ))}
      </div>
      <p>
        <a href={returnUrl}>Back without a change</a>
      </p>
    </form>
  );
}

function actionsOf({ state, payments }: SandboxOrder): (readonly [PayAction, string])[] {
  if (payments.length > 0) {
    return [
      ['pay', state === 'captured' ? 'Settle the card payment' : 'Pay a second time'],
      ['void', 'Void the payment'],
      ['refund', 'Give the whole payment back'],
      ['partly', 'Give a fifth of the payment back'],
      ['restore', 'Give back nothing after all'],
    ];
  }
  const late = state === 'open' ? '' : ' late';
  return [
    ['pay', `Pay${late}`],
    ['capture', `Charge a card, without settlement${late}`],
    ['wrong', `Pay a wrong amount${late}`],
    ['twice', `Pay twice${late}`],
    ...(state === 'open'
      ? ([
          ['expire', 'Let it expire'],
          ['fail', 'Let it fail'],
        ] as const)
      : []),
  ];
}
