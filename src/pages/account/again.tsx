import { LinkButton } from '../../ui/components/button.tsx';
import { useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { errorAdvice } from '../messages/errors.ts';
import { PasskeyAgain } from '../passkey/ceremony.tsx';
import { signInFor } from '../shared/paths.ts';

/** Offers to sign in again and return to a page, with a passkey or on the sign-in page. */
export function SignInAgain({ path }: { path: string }) {
  const texts = useTexts(accountTexts);
  return (
    <>
      <p>
        <strong>{texts.freshTitle}</strong>
      </p>
      <p>{useTexts(errorAdvice).not_fresh}</p>
      <div class="stack">
        <PasskeyAgain next={path} />
        <LinkButton href={signInFor(path, 'login')} text={texts.freshAction} />
      </div>
    </>
  );
}
