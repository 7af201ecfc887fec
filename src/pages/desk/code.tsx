import type { AuditAction } from '../../features/activity/statements.ts';
import type { AuditLine } from '../../features/admin/schema.ts';
import type { Catalogue } from '../../lib/texts.ts';
import { useTexts } from '../../ui/view.ts';
import { auditActionTexts, auditVerbTexts, moneyCodeTexts } from '../messages/desk-codes.ts';

type KeyOf<Code extends string> = Code extends `${infer Area}.${infer Name}` ? `${Area}_${Name}` : Code;

/** The compiler requires words for every action. */
const actionTexts: Catalogue<KeyOf<AuditAction>> = auditActionTexts;

/** The words for a code of the API; the code itself if there are none, as for a provider's own reason. */
export function useWords<Key extends string>(texts: Catalogue<Key>): (code: string) => string {
  const words: Readonly<Record<string, string>> = useTexts(texts);
  return (code) => words[code.replaceAll('.', '_')] ?? code;
}

/** A code in words, followed by the code, which people read to support and search for. */
function Coded({ words, code }: { words: string; code: string }) {
  return (
    <>
      {words}
      {words !== code && (
        <>
          {' '}
          <span class="quiet">
            <code>{code}</code>
          </span>
        </>
      )}
    </>
  );
}

/** Names the action, using the details of the entry: `Froze the wallet` for a change of its status to frozen. */
export function ActionName({ action, detail }: Pick<AuditLine, 'action' | 'detail'>) {
  const exact = useWords(auditVerbTexts);
  const words = useWords(actionTexts)(action);
  const [value] = ['status', 'level', 'mode', 'withdrawals'].flatMap((name) => detail[name] ?? []);
  const code = value === undefined ? action : `${action}.${value}`;
  const verb = exact(code);
  return <Coded words={verb === code ? words : verb} code={action} />;
}

/** A state, and why: `failed: rejected by the provider`, with the code of the reason. */
export function MoneyState({ status, failure = null }: { status: string; failure?: string | null }) {
  const wordsOf = useWords(moneyCodeTexts);
  if (failure === null) return <>{wordsOf(status)}</>;
  return <Coded words={`${wordsOf(status)}: ${wordsOf(failure)}`} code={failure} />;
}
