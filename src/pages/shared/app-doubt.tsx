import type { PopupRequest } from '../../features/popup/popup.ts';
import { Icon, type IconName } from '../../ui/components/icon.tsx';
import { Filled } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import { authorizeTexts, scopeTexts } from '../messages/sign-in.ts';

interface Props {
  readonly request: Pick<PopupRequest, 'doubt' | 'origin'>;
  /** The warning, in which `{host}` is replaced with the app's host. */
  readonly text: string;
}

/** Warns in a popup about an app that is unchecked or new. It has two lines, so that the main button stays visible. */
export function AppDoubt({ request: { doubt, origin }, text }: Props) {
  const texts = useTexts(authorizeTexts);
  if (doubt === null) return null;
  return (
    <p class="hint doubt">
      <strong>{texts[doubt]}.</strong>{' '}
      <Filled text={text}>
        <strong>{new URL(origin).host}</strong>
      </Filled>
    </p>
  );
}

const icons: Readonly<Record<string, IconName>> = {
  openid: 'person',
  profile: 'person',
  email: 'mail',
  offline_access: 'clock',
  'wallet:read': 'wallet',
  'fiat:deposit': 'wallet',
  'fiat:transfer': 'out',
  'fiat:refund': 'in',
  'fiat:read': 'list',
};

export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const words: Readonly<Record<string, string>> = useTexts(scopeTexts);
  return (
    <ul>
      {scopes.map((scope) => (
        <li class="icon">
          <Icon name={icons[scope] ?? 'check'} />
          <span>{words[scope] ?? scope}</span>
        </li>
      ))}
    </ul>
  );
}
