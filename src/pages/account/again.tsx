import { LinkButton } from '../../ui/components/form.tsx';
import { useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { errorAdvice } from '../messages/errors.ts';
import { PasskeyAgain } from '../passkey/ceremony.tsx';
import { signInFor } from '../shared/paths.ts';

/**
 * Offers to sign in again and return to a page, with a passkey or on the sign-in page.
 * @param byPasskey whether nothing but a passkey will do
 */
export function SignInAgain({ path, byPasskey = false }: { path: string; byPasskey?: boolean }) {
  const texts = useTexts(accountTexts);
  const { not_fresh: why } = useTexts(errorAdvice);
  return (
    <>
      <p>
        <strong>{texts.freshTitle}</strong>
      </p>
      <p>{byPasskey ? texts.freshPasskey : why}</p>
      <div class="stack">
        <PasskeyAgain next={path} />
        <LinkButton href={signInFor(path, 'login')} text={texts.freshAction} />
      </div>
    </>
  );
}
