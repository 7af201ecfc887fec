import { listHolds, type OpenHold } from '../../features/transfer/hold.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { Card } from '../../ui/components/card.tsx';
import { Table } from '../../ui/components/list.tsx';
import { Foreign, Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { useTexts, useView } from '../../ui/view.ts';
import { walletTexts } from '../messages/wallet.ts';
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
      <Table
        caption={texts.holdsHeading}
        columns={[texts.amount, texts.heldBy, texts.recipient, texts.until]}
        rows={holds.map(({ app_name: app, payee, debit_total: total, expires_at: until }) => [
          formatAmount(locale, total),
          <Foreign text={app} />,
          <span class="mono">{pidOf(payee)}</span>,
          <Moment at={isoTime(until)} as="day" text={texts.heldUntil} />,
        ])}
      />
    </Card>
  );
}
