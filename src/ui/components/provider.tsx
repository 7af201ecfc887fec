import { useView } from '../view.ts';
import { Icon, type IconName } from './icon.tsx';

const icons: Readonly<Record<string, IconName>> = { github: 'branch', email: 'mail', passkey: 'key' };

/** The icon of a kind of credential. */
export function ProviderIcon({ provider }: { provider: string }) {
  const { IDP_LOGO: logo } = useView().brand;
  if (provider === 'google') return <GoogleIcon />;
  if (provider === 'idp' && logo !== undefined) return <img src={logo} alt="" width={20} height={20} />;
  return <Icon name={icons[provider] ?? 'shield'} />;
}

/** Google's four colours as arcs of one ring. */
function GoogleIcon() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke-width="3.2" aria-hidden="true">
      <path d="M15.3 5.2A7 7 0 0 0 4 6.4" stroke="#ea4335" />
      <path d="M4 6.4a7 7 0 0 0 0 7.2" stroke="#fbbc05" />
      <path d="M4 13.6a7 7 0 0 0 10.7 1.6" stroke="#34a853" />
      <path d="M14.7 15.2A7 7 0 0 0 17 10h-6.7" stroke="#4285f4" />
    </svg>
  );
}

interface ProviderLinkProps {
  readonly provider: string;
  readonly text: string;
  readonly href: string;
  /** Whether it is the only way to sign in. */
  readonly main?: boolean;
}

/** A link rather than a form, because the form policy would block the redirect to the provider. */
export function ProviderLink({ provider, text, href, main }: ProviderLinkProps) {
  return (
    <a class={`button provider full${main ? ' main' : ''}`} href={href} data-away={provider}>
      <ProviderIcon provider={provider} />
      {text}
    </a>
  );
}
