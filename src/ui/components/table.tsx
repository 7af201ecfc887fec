import type { Child } from 'hono/jsx';

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
