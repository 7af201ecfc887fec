import type { Deps } from '../../deps.ts';
import { listProviders } from '../../features/idp/idp.ts';
import { fill, type Locale } from '../../ui/locale.ts';
import { useTexts } from '../../ui/view.ts';
import { credentialTexts, sessionTexts } from '../messages/account.ts';

/** The names of external providers by their ids, as the service is set up. */
export type ProviderNames = Readonly<Record<string, string>>;

/** Names a kind of credential as people know it. */
export function useProviderName(names: ProviderNames): (provider: string) => string {
  const { email, passkey } = useTexts(credentialTexts);
  const own: ProviderNames = { email, passkey };
  return (provider) => own[provider] ?? names[provider] ?? provider;
}

/** The same outside a page's own components: for what waits with a claim ticket. */
export function waitingName(deps: Deps, locale: Locale, kind: string): string {
  if (kind === 'email' || kind === 'passkey') return credentialTexts[locale][kind];
  return listProviders(deps).data.find(({ id }) => id === kind)?.name ?? kind;
}

/** Names a device in the page's language. */
export function useDeviceName(): (device: string | null) => string {
  const { unknownDevice, deviceOn } = useTexts(sessionTexts);
  return (device) => {
    if (device === null) return unknownDevice;
    const [browser = '', system] = device.split(' on ');
    return system === undefined ? device : fill(deviceOn, { browser, system });
  };
}
