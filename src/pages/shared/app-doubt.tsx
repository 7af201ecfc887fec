import type { Child } from 'hono/jsx';
import { type appScopes, identityScopes } from '../../features/app/schema.ts';
import type { AppDoubt as Doubt } from '../../features/popup/app-doubt.ts';
import { Notice } from '../../ui/components/card.tsx';
import { Icon, type IconName } from '../../ui/components/icon.tsx';
import { Filled } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import { authorizeTexts, scopeTexts } from '../messages/sign-in.ts';

interface Props {
  readonly doubt: Doubt;
  /** The warning, in which `{host}` is replaced with `host`. */
  readonly text: string;
  readonly host?: string;
  readonly children?: Child;
}

/** Warns about an app that is new, unchecked or unregistered, before anything is allowed or paid. */
export function AppDoubt({ doubt, text, host, children }: Props) {
  const texts = useTexts(authorizeTexts);
  if (doubt === null) return null;
  return (
    <Notice kind="warning" title={texts[doubt]}>
      <p>
        <Filled text={text}>
          <strong>{host}</strong>
        </Filled>
      </p>
      {children}
    </Notice>
  );
}

const knowing = new Set<string>([...identityScopes, 'offline_access'] satisfies (typeof appScopes)[number][]);
const seeing = new Set<string>(['wallet:read', 'fiat:read'] satisfies (typeof appScopes)[number][]);

/** Returns the name of the text that describes these scopes: a sign-in, read access to the wallet, or more. */
export function requestOf(scopes: readonly string[]): 'asksSignIn' | 'asksSight' | 'asks' {
  const others = scopes.filter((scope) => !knowing.has(scope));
  if (others.length === 0) return 'asksSignIn';
  return others.every((scope) => seeing.has(scope)) ? 'asksSight' : 'asks';
}

/** In the order of a list: money first, so that it is never below a phone's fold. */
const icons: Readonly<Record<string, IconName>> = {
  'fiat:transfer': 'out',
  'fiat:refund': 'in',
  'fiat:deposit': 'wallet',
  'wallet:read': 'wallet',
  'fiat:read': 'list',
  email: 'mail',
  profile: 'person',
  openid: 'person',
  offline_access: 'clock',
};

const order = Object.keys(icons);

export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const words: Readonly<Record<string, string>> = useTexts(scopeTexts);
  return (
    <ul>
      {scopes
        .toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
        .map((scope) => (
          <li class="icon">
            <Icon name={icons[scope] ?? 'check'} />
            <span>{words[scope] ?? scope}</span>
          </li>
        ))}
    </ul>
  );
}
