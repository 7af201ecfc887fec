import { raw } from 'hono/html';
import { Icon } from '../../ui/components/icon.tsx';
import { useTexts, useView } from '../../ui/view.ts';
import { passkeyStates, passkeyTexts } from '../messages/sign-in.ts';

/** Data for the script, which shows the buttons if the browser supports passkeys, and reports the outcome. */
interface CeremonyProps {
  /** The page after signing in. */
  readonly next: string;
}

export interface PasskeySignInProps extends CeremonyProps {
  /** The page after registering a passkey, where the person chooses a PID. */
  readonly claim: string;
  /** The popup request to approve. */
  readonly popup?: string;
}

/**
 * Shows the button before the rest of the page is painted. The main script, at the end of the page, would cause a
 * layout shift.
 */
const showEarly = `{
const root = document.currentScript.parentNode;
if (self.PublicKeyCredential && navigator.credentials) root.hidden = root.firstChild.hidden = false;
}`;

/**
 * Signs in with a passkey, by button or autofill. The button that registers a new one may be elsewhere on the page.
 * @param badge next to the button
 */
export function PasskeySignIn({
  next,
  claim,
  popup,
  badge,
}: PasskeySignInProps & { badge?: string | undefined }) {
  const texts = useTexts(passkeyTexts);
  const states = useTexts(passkeyStates);
  const data = { 'data-next': next, 'data-claim': claim, 'data-popup': popup, 'data-autofill': 'on' };
  return (
    <div data-passkey hidden data-texts={JSON.stringify(states)} {...data}>
      <CeremonyButton ceremony="login" text={texts.use} badge={badge} />
      <p role="status" class="hint" />
      <script nonce={useView().nonce}>{raw(showEarly)}</script>
    </div>
  );
}

/** Signs in again with one of the person's passkeys, for actions that require a recent sign-in. */
export function PasskeyAgain({ next }: CeremonyProps) {
  const states = useTexts(passkeyStates);
  return (
    <div data-passkey hidden data-texts={JSON.stringify(states)} data-again="on" data-next={next}>
      <CeremonyButton ceremony="login" text={useTexts(passkeyTexts).again} look="main" />
      <p role="status" class="hint" />
    </div>
  );
}

interface ButtonProps {
  readonly ceremony: 'login' | 'signUp' | 'add';
  readonly text: string;
  /** By default as wide as the card. */
  readonly look?: 'compact' | 'link' | 'main';
  readonly badge?: string | undefined;
}

export function CeremonyButton({ ceremony, text, look, badge }: ButtonProps) {
  const className =
    look === 'compact' ? undefined : look === 'link' ? look : `provider full ${look ?? ''}`.trim();
  return (
    <button type="button" hidden data-ceremony={ceremony} class={className}>
      {look !== 'link' && <Icon name="key" />}
      {text}
      {badge !== undefined && <span class="badge">{badge}</span>}
    </button>
  );
}
