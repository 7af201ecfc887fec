import { useTexts } from '../../ui/view.ts';
import { scopeTexts } from '../messages/authorize.ts';

/** What an app may do, in words. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const words: Readonly<Record<string, string>> = useTexts(scopeTexts);
  return (
    <ul>
      {scopes.map((scope) => (
        <li>{words[scope] ?? scope}</li>
      ))}
    </ul>
  );
}
