import type { PopupRequest } from '../../features/popup/popup.ts';
import { Filled } from '../../ui/components/filled.tsx';
import { useTexts } from '../../ui/view.ts';
import { signInTexts } from '../messages/sign-in.ts';

/** Where the person goes after signing in: to a client, or to their own account. */
export type Place = { readonly host: string; readonly app?: string | null } | 'account';

/** Always names the host: an app may call itself anything, but the host identifies the site. */
export function ContinueTo({ place }: { place: Place }) {
  const texts = useTexts(signInTexts);
  if (place === 'account') return <>{texts.toContinueToAccount}</>;
  return (
    <Filled text={texts.toContinueTo}>
      <strong>{place.app ? `${place.app} · ${place.host}` : place.host}</strong>
    </Filled>
  );
}

/** Names the registered app and the origin that opened a popup. The app cannot change this text. */
export function Opener({ request: { origin, app } }: { request: Pick<PopupRequest, 'origin' | 'app'> }) {
  return (
    <p class="lead">
      <ContinueTo place={{ host: origin, app }} />
    </p>
  );
}
