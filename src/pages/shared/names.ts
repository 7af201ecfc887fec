import type { Deps } from '../../deps.ts';
import { listProviders } from '../../features/idp/list.ts';
import type { Locale } from '../../http/context.ts';
import { fill, useTexts } from '../../ui/view.ts';
import { credentialTexts, sessionTexts } from '../messages/account.ts';

/** The names of external providers by id, as configured. */
export type ProviderNames = Readonly<Record<string, string>>;

export function providerNames(deps: Deps): ProviderNames {
  return Object.fromEntries(listProviders(deps).data.map(({ id, name }) => [id, name ?? id]));
}

/** Names a kind of credential, inside a component. */
export function useProviderName(names: ProviderNames): (provider: string) => string {
  const { email, passkey } = useTexts(credentialTexts);
  const all: ProviderNames = { ...names, email, passkey };
  return (provider) => all[provider] ?? provider;
}

/** Names a kind of credential before rendering starts. */
export function credentialName(deps: Deps, locale: Locale, kind: string): string {
  const { email, passkey } = credentialTexts[locale];
  const all: ProviderNames = { ...providerNames(deps), email, passkey };
  return all[kind] ?? kind;
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
