import { accountPaths } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { useTexts } from '../../ui/view.ts';
import { walletTexts } from '../messages/wallet.ts';

/** @param next the page to open afterwards */
export function OpenCard({ next = null }: { next?: string | null }) {
  const texts = useTexts(walletTexts);
  return (
    <Card {...{ [next === null ? 'heading' : 'title']: texts.openHeading }} lead={texts.openLead} id="open">
      <Form action={accountPaths.wallet} hidden={{ next }}>
        <Button look="main" text={texts.open} />
      </Form>
    </Card>
  );
}
