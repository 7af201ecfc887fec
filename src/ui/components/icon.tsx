import { useView } from '../view.ts';

/** Strokes on a grid of 20. */
const shapes = {
  alert: 'M10 3 2.5 16.5h15zM10 8.2v4M10 14.4v.1',
  info: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM10 9.2v4.3M10 6.5v.1',
  check: 'M4 10.6 8.2 14.8 16.4 5.6',
  mail: 'M2.5 4.5h15v11h-15zM2.8 5l7.2 6 7.2-6',
  key: 'M7 9.2a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2zM9.6 10.4 16.5 3.5M13.2 6.8l2.6 2.6',
  shield: 'M10 2.5 16.5 5v4.6c0 3.8-2.6 6.4-6.5 7.9-3.9-1.5-6.5-4.1-6.5-7.9V5z',
  laptop: 'M4.5 4h11v8.5h-11zM2 15.5h16',
  phone: 'M6.2 2.5h7.6v15H6.2zM9.3 14.8h1.4',
  in: 'M14.5 5.5 5.5 14.5M5.5 7.5v7h7',
  out: 'M5.5 14.5 14.5 5.5M7.5 5.5h7v7',
  person: 'M10 3.2a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6zM3.8 17c.6-3.3 3-5 6.2-5s5.6 1.7 6.2 5',
  clock: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM10 6v4.2l2.8 1.8',
  wallet: 'M2.8 5.5h13.4v10.7H2.8zM2.8 5.5l10-2.5v2.5M12.6 10.8h3.6',
  list: 'M7 5h9.5M7 10h9.5M7 15h9.5M3.4 5h.1M3.4 10h.1M3.4 15h.1',
  lock: 'M4.5 9h11v8h-11zM7 9V6.2a3 3 0 0 1 6 0V9',
} as const;

export type IconName = keyof typeof shapes;

/** Hidden from screen readers, because the adjacent text says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}

const icons: Readonly<Record<string, IconName>> = { email: 'mail', passkey: 'key' };

/** A credential kind's icon. */
export function ProviderIcon({ provider }: { provider: string }) {
  const { IDP_LOGO: logo } = useView().brand;
  if (provider === 'idp' && logo !== undefined) return <img src={logo} alt="" width={20} height={20} />;
  if (provider === 'google') return <GoogleMark />;
  if (provider === 'github') return <GithubMark />;
  return <Icon name={icons[provider] ?? 'shield'} />;
}

/**
 * Google's mark, as on Google's own button: always in these colours
 * (developers.google.com/identity/branding-guidelines).
 */
function GoogleMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 48 48" aria-hidden="true">
      <path
        fill="#ea4335"
        d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
      />
      <path
        fill="#4285f4"
        d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
      />
      <path
        fill="#fbbc05"
        d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
      />
      <path
        fill="#34a853"
        d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
      />
    </svg>
  );
}

/** GitHub's mark, from its icon set (primer/octicons, mark-github-16): only black or white (github.com/logos). */
function GithubMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 16 16" fill="light-dark(#000,#fff)" aria-hidden="true">
      <path d="M8 0c4.42 0 8 3.58 8 8a8.013 8.013 0 01-5.45 7.59c-.4.08-.55-.17-.55-.38 0-.27.01-1.13.01-2.2 0-.75-.25-1.23-.54-1.48 1.78-.2 3.65-.88 3.65-3.95 0-.88-.31-1.59-.82-2.15.08-.2.36-1.02-.08-2.12 0 0-.67-.22-2.2.82-.64-.18-1.32-.27-2-.27-.68 0-1.36.09-2 .27-1.53-1.03-2.2-.82-2.2-.82-.44 1.1-.16 1.92-.08 2.12-.51.56-.82 1.28-.82 2.15 0 3.06 1.86 3.75 3.64 3.95-.23.2-.44.55-.51 1.07-.46.21-1.61.55-2.33-.66-.15-.24-.6-.83-1.23-.82-.67.01-.27.38.01.53.34.19.73.9.82 1.13.16.45.68 1.31 2.69.94 0 .67.01 1.3.01 1.49 0 .21-.15.45-.55.38A7.995 7.995 0 010 8c0-4.42 3.58-8 8-8z" />
    </svg>
  );
}

interface ProviderLinkProps {
  readonly provider: string;
  readonly text: string;
  readonly href: string;
  /** True for the only sign-in method. */
  readonly main?: boolean;
  /** A short note next to the text. */
  readonly badge?: string | undefined;
}

/** A link rather than a form, because the form policy would block the redirect to the provider. */
export function ProviderLink({ provider, text, href, main, badge }: ProviderLinkProps) {
  return (
    <a class={`button provider full${main ? ' main' : ''}`} href={href} data-away={provider}>
      <ProviderIcon provider={provider} />
      {text}
      {badge !== undefined && <span class="badge">{badge}</span>}
    </a>
  );
}
