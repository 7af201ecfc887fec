import { fill } from '../locale.ts';
import { credentialTexts, sessionTexts } from '../messages/account.ts';
import { useTexts } from '../view.ts';

/** The names of external providers by their ids, as the service is set up. */
export type ProviderNames = Readonly<Record<string, string>>;

/** Names a kind of credential as people know it. */
export function useProviderName(names: ProviderNames): (provider: string) => string {
  const { email, passkey } = useTexts(credentialTexts);
  const own: ProviderNames = { email, passkey };
  return (provider) => own[provider] ?? names[provider] ?? provider;
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
