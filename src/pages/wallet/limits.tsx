import type { Wallet } from '../../features/ledger/schema.ts';
import { Card } from '../../ui/components/card.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { limitTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';
import type { WalletSection } from './section.tsx';

/** The wallet limits with the remaining amounts, if there are any. */
export const limitsSection: WalletSection = {
  show: async ({ wallet: { limits } }) => limits && <LimitsCard limits={limits} />,
};

export function LimitsCard({ limits }: { readonly limits: NonNullable<Wallet['limits']> }) {
  const texts = useTexts(walletTexts);
  const { left: leftOf } = useTexts(limitTexts);
  const { locale, brand } = useView();
  const { level, payment, held, day, month } = limits;
  // Everywhere else, days are those of the service's time zone.
  const otherDays = brand.TIME_ZONE === 'Asia/Jakarta' ? [] : [texts.limitDays];
  const amount = (value: number) => formatAmount(locale, value);
  const lines = [
    ['limitPayment', payment === null ? null : amount(payment)],
    ...(['held', 'day', 'month'] as const).map((name) => {
      const limit = { held, day, month }[name];
      const text = limit && fill(leftOf, { most: amount(limit.most), left: amount(limit.left) });
      return [({ held: 'limitHeld', day: 'limitDay', month: 'limitMonth' } as const)[name], text] as const;
    }),
  ] as const;
  return (
    <Card
      heading={texts.limits}
      lead={[level === 'verified' ? texts.levelVerified : texts.levelUnverified, ...otherDays].join(' ')}
      id="limits"
    >
      <dl>
        {lines.map(
          ([name, text]) =>
            text !== null && (
              <>
                <dt>{texts[name]}</dt>
                <dd>{text}</dd>
              </>
            ),
        )}
      </dl>
    </Card>
  );
}
