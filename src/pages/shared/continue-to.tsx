import { brandName } from '../../brand/brand-name.ts';
import type { PopupRequest } from '../../features/popup/popup.ts';
import { Filled } from '../../ui/components/text.tsx';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { signInTexts } from '../messages/sign-in.ts';

/** The destination after signing in: a client, or the person's own account. */
export type Place = { readonly host: string; readonly app?: string | null } | 'account';

/** Always shows the host: an app can choose any name, but the host identifies the site. */
export function ContinueTo({ place }: { place: Place }) {
  const texts = useTexts(signInTexts);
  const { brand } = useView();
  const name = usePlaceName(place);
  if (place === 'account' || name === null)
    return <>{fill(texts.toContinueToAccount, { brand: brandName(brand) })}</>;
  return (
    <Filled text={texts.toContinueTo}>
      <strong>{name === place.host ? name : `${name} · ${place.host}`}</strong>
    </Filled>
  );
}

/** The name of a registered app comes first, then the name in ORIGIN_NAMES, then the host; null for the account. */
export function usePlaceName(place: Place): string | null {
  const { ORIGIN_NAMES } = useView().brand;
  return place === 'account' ? null : (place.app ?? originName(ORIGIN_NAMES, place.host) ?? place.host);
}

/** Returns an origin's configured name, looked up by origin or host. */
function originName(names: Readonly<Record<string, string>> = {}, host: string): string | undefined {
  return Object.entries(names).find(([origin]) => origin === host || new URL(origin).host === host)?.[1];
}

/** Names the registered app and the origin that opened a popup. The app cannot change this text. */
export function Opener({ request: { origin, app } }: { request: Pick<PopupRequest, 'origin' | 'app'> }) {
  return (
    <p class="lead">
      <ContinueTo place={{ host: origin, app }} />
    </p>
  );
}
