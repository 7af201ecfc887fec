import type { Child } from 'hono/jsx';
import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';
import { LinkButton } from './form.tsx';

interface TableProps {
  /** Read to people who cannot see the context. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Child[])[];
}

/** A table whose rows become blocks on narrow screens. */
export function Table({ caption, columns, rows }: TableProps) {
  return (
    <table>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PagerProps {
  /** The list's address. */
  readonly path: string;
  /** The list's filter. */
  readonly query?: Readonly<Record<string, string>>;
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  /** The links of a list in another order. */
  readonly words?: { readonly newest: string; readonly older: string };
  /** Actions on the whole list. */
  readonly children?: Child;
}

/** Links through a list that starts with the newest, unless `words` say otherwise. */
export function Pager({ path, query = {}, nextCursor, isFirst, words, children }: PagerProps) {
  const texts = useTexts(commonTexts);
  if (nextCursor === null && isFirst && !children) return null;
  const newest = Object.keys(query).length === 0 ? [] : [new URLSearchParams(query)];
  return (
    <div class="end">
      {children}
      <nav class="row" aria-label={texts.pages}>
        {!isFirst && <LinkButton href={[path, ...newest].join('?')} text={(words ?? texts).newest} />}
        {nextCursor !== null && (
          <LinkButton
            href={`${path}?${new URLSearchParams({ ...query, cursor: nextCursor })}`}
            text={(words ?? texts).older}
          />
        )}
      </nav>
    </div>
  );
}
