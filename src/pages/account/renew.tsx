import { Button } from '../../ui/components/button.tsx';
import { Card } from '../../ui/components/card.tsx';
import { Skeleton } from '../../ui/components/skeleton.tsx';
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
      <form method="post" action={sessionPaths.renew} id="renew">
        <input type="hidden" name="returnTo" value={`self:${path}`} />
        {isRepeat && <input type="hidden" name="repeat" value="1" />}
        <Button look="main" full text={texts.renewContinue} />
      </form>
    </Card>
  );
}
