import { LinkButton } from '../../ui/components/button.tsx';
import { useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { errorAdvice } from '../messages/errors.ts';
import { PasskeyAgain } from '../passkey/ceremony.tsx';
import { signInFor } from '../shared/return-to.ts';
import type { AccountTab } from './shell.tsx';

/** The way to a recent sign-in and back: at once with a passkey, or by the sign-in page. */
export function SignInAgain({ tab }: { tab: AccountTab }) {
  const texts = useTexts(accountTexts);
  const path = `/account/${tab}`;
  return (
    <>
      <p>
        <strong>{texts.freshTitle}</strong>
      </p>
      <p>{useTexts(errorAdvice).not_fresh}</p>
      <div class="stack">
        <PasskeyAgain next={path} />
        <LinkButton href={signInFor(path)}>{texts.freshAction}</LinkButton>
      </div>
    </>
  );
}
