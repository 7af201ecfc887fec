import type { Child } from 'hono/jsx';

interface TableProps {
  /** Says what is listed, to those who cannot see what stands around it. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Child[])[];
}

/** A table that becomes one block a row where it does not fit. */
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
