import { Card, Skeleton } from '../../ui/components/card.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { sessionPaths } from '../shared/paths.ts';

interface RenewProps {
  /** The account page to return to. */
  readonly path: string;
  /** Whether a form has to be sent again. */
  readonly isRepeat: boolean;
}

/**
 * Replaces an account page when the access token is missing. Opening a page must not consume a refresh token, so the
 * refresh is a form: a script sends it at once, and without script the person does.
 */
export function RenewCard({ path, isRepeat }: RenewProps) {
  const texts = useTexts(accountTexts);
  return (
    <Card title={texts.renewTitle} lead={texts.renewLead}>
      <Skeleton lines={3} />
      <Form
        action={sessionPaths.renew}
        id="renew"
        hidden={{ returnTo: `self:${path}`, repeat: isRepeat ? '1' : null }}
      >
        <Button look="main" full text={texts.renewContinue} />
      </Form>
    </Card>
  );
}
