import { listHolds, type OpenHold } from '../../features/transfer/hold.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { Card } from '../../ui/components/card.tsx';
import { Filled, Foreign, Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { useTexts, useView } from '../../ui/view.ts';
import { walletTexts } from '../messages/wallet.ts';
import { MoneyRow, MoneyRows } from './money-row.tsx';
import type { WalletSection } from './section.tsx';

/** The wallet's money held for apps. */
export const holdsSection: WalletSection = {
  async show({ deps, caller }) {
    const holds = await listHolds(deps, caller);
    return holds.length === 0 ? null : <HoldsCard holds={holds} />;
  },
};

/** The amounts held for apps, each with its payee and expiry. */
export function HoldsCard({ holds }: { holds: readonly OpenHold[] }) {
  const texts = useTexts(walletTexts);
  const { locale } = useView();
  return (
    <Card heading={texts.holdsHeading} lead={texts.holdsLead} id="holds">
      <MoneyRows>
        {holds.map(({ app_name: app, payee, debit_total: total, expires_at: until }) => (
          <MoneyRow
            icon="clock"
            title={<Foreign text={app} />}
            details={[<Filled text={texts.heldFor}>{pidOf(payee)}</Filled>]}
            sum={formatAmount(locale, total)}
            at={<Moment at={isoTime(until)} as="day" text={texts.heldUntil} />}
          />
        ))}
      </MoneyRows>
    </Card>
  );
}
