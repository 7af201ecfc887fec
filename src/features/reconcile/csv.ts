/** An unreadable line, and the reason. */
export class LineProblem extends Error {
  readonly line: number;
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.line = line;
  }
}

/** A record, and the number of its first line, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

const maxCell = 1_000;
const maxCells = 100;

/**
 * Reads CSV (RFC 4180) as it arrives, one record at a time. The parser is strict, because a guess here could move
 * money: a file that ends in the middle of a line is rejected as truncated. Empty lines are skipped.
 * @param delimiter one character
 * @throws LineProblem
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  let [line, start, cell, cells, state, wasCr] = [1, 1, '', [] as string[], 'bare', false];
  for await (const text of decoded(chunks, () => line)) {
    for (let at = 0; at < text.length; at += 1) {
      const char = text.charAt(at);
      if (wasCr && char !== '\n') throw new LineProblem(line, 'a line ends with only CR');
      wasCr = char === '\r' && state !== 'quoted';
      if (char === '\n') line += 1;
      if (state === 'quoted') {
        if (char === '"') state = 'closed';
        else cell += char;
      } else if (char === delimiter || char === '\n') {
        cells.push(cell);
        if (cells.length > maxCells) throw new LineProblem(start, `has more than ${maxCells} columns`);
        if (char === '\n') {
          if (cells.length > 1 || cell !== '') yield { line: start, cells };
          [start, cells] = [line, []];
        }
        [cell, state] = ['', 'bare'];
      } else if (char === '"' && (state === 'closed' || cell === '')) {
        // A doubled quote within quotes is one quote.
        cell += state === 'closed' ? '"' : '';
        state = 'quoted';
      } else if (!wasCr) {
        if (state === 'closed' || char === '"')
          throw new LineProblem(start, 'a quoted cell has text outside its quotes');
        cell += char;
      }
      if (cell.length > maxCell) throw new LineProblem(start, `a cell has more than ${maxCell} characters`);
    }
  }
  if (cell !== '' || cells.length > 0 || state !== 'bare' || wasCr)
    throw new LineProblem(
      start,
      'the file ends in the middle of a line: it is truncated, or its last line has no line break',
    );
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, line: () => number): AsyncGenerator<string> {
  // The decoder removes a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new LineProblem(line(), 'the text is not UTF-8');
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}
