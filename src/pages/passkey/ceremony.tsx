import { Icon } from '../../ui/components/icon.tsx';
import { useTexts } from '../../ui/view.ts';
import { passkeyStates, passkeyTexts } from '../messages/passkey.ts';

/** Data for the script, which shows the buttons if the browser has passkeys and reports the outcome. */
interface CeremonyProps {
  /** The page after signing in. */
  readonly next: string;
}

interface SignInProps extends CeremonyProps {
  /** The page after a new passkey, which chooses a PID. */
  readonly claim: string;
  /** The popup request to answer. */
  readonly popup?: string;
}

/** Signs in with a passkey, by button or autofill, or registers a new one. */
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

/** Signs in again with one of the person's passkeys, for actions that need a recent sign-in. */
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
