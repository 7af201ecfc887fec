import { Button } from '../../ui/components/button.tsx';
import { Card } from '../../ui/components/card.tsx';
import { Skeleton } from '../../ui/components/skeleton.tsx';
import { useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';

interface RenewProps {
  /** The account page to come back to. */
  readonly path: string;
  /** A form was being sent, which has to be sent again. */
  readonly isRepeat: boolean;
}

/**
 * Stands in for an account page while its access token is missing. Opening a page must not use anything up, so
 * the refresh is a form: a script sends it at once, and without script it is one press.
 */
export function RenewCard({ path, isRepeat }: RenewProps) {
  const texts = useTexts(accountTexts);
  return (
    <Card title={texts.renewTitle} lead={texts.renewLead}>
      <Skeleton lines={3} />
      <form method="post" action="/v1/auth/refresh/continue" id="renew">
        <input type="hidden" name="returnTo" value={`self:${path}`} />
        {isRepeat && <input type="hidden" name="repeat" value="1" />}
        <Button look="main" full>
          {texts.renewContinue}
        </Button>
      </form>
    </Card>
  );
}
