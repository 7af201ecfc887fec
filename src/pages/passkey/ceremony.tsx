import { Icon } from '../../ui/components/icon.tsx';
import { useTexts } from '../../ui/view.ts';
import { passkeyStates, passkeyTexts } from '../messages/passkey.ts';

/** What the script needs to know; it shows the buttons where there are passkeys, and says what came of them. */
interface CeremonyProps {
  /** Where a session leads. */
  readonly next: string;
}

interface SignInProps extends CeremonyProps {
  /** Where a new passkey leads, to choose a PID. */
  readonly claim: string;
  /** The popup request that is answered. */
  readonly popup?: string;
}

/** Signing in with a passkey, by the button or by the browser's autofill, and starting with a new one. */
export function PasskeySignIn({ next, claim, popup }: SignInProps) {
  const texts = useTexts(passkeyTexts);
  const states = useTexts(passkeyStates);
  const data = { 'data-next': next, 'data-claim': claim, 'data-popup': popup, 'data-autofill': 'on' };
  return (
    <div data-passkey hidden data-texts={JSON.stringify(states)} {...data}>
      <div class="stack">
        <CeremonyButton ceremony="login" text={texts.use} />
        <CeremonyButton ceremony="signUp" text={texts.signUp} isQuiet />
      </div>
      <p role="status" class="hint" />
    </div>
  );
}

/** Signing in again with one of one's own passkeys, which makes the sign-in recent. */
export function PasskeyAgain({ next }: CeremonyProps) {
  const states = useTexts(passkeyStates);
  return (
    <div data-passkey hidden data-texts={JSON.stringify(states)} data-again="on" data-next={next}>
      <CeremonyButton ceremony="login" text={useTexts(passkeyTexts).again} />
      <p role="status" class="hint" />
    </div>
  );
}

interface ButtonProps {
  readonly ceremony: 'login' | 'signUp' | 'add';
  readonly text: string;
  readonly isQuiet?: boolean;
}

export function CeremonyButton({ ceremony, text, isQuiet = false }: ButtonProps) {
  return (
    <button type="button" hidden data-ceremony={ceremony} class={isQuiet ? 'link full' : 'provider full'}>
      {!isQuiet && <Icon name="key" />}
      {text}
    </button>
  );
}
