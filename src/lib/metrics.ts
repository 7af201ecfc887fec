import { present } from './present.ts';

/** Tables of counts, written as text in Prometheus's format (version 0.0.4). */

type Value = string | number;

/**
 * The values of each of at most two labels. The first may be null, for labels whose values are names in our code; calls
 * then define them. No label value ever comes from user data.
 */
export type Labels = Readonly<Record<string, readonly Value[] | null>>;

/** Sends one count or duration elsewhere instead of storing it in a table. */
export type Write = (name: string, labels: readonly Value[], value: number) => void;

export interface Described {
  readonly name: string;
  readonly help: string;
  readonly labels?: Labels;
}

export interface Counter {
  add(first?: Value, second?: Value): void;
  /** The same for one value of the first label, which is looked up once. */
  of(first: Value): (second?: Value) => void;
  text(): string;
}

export interface Histogram {
  /** @param value in the unit given by the metric's name */
  observe(value: number, first?: Value): void;
  /** The same for one value of the label, which is looked up once. */
  of(first: Value): (value: number) => void;
  text(): string;
}

/** In seconds: from a response out of memory to the maximum duration of a request. */
export const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Everything outside a label's list. */
const other = 'other';
/** Far more than the number of a label's values, in case a caller passes user data by mistake. */
const mostLearned = 500;

export function createCounter(described: Described, write?: Write): Counter {
  const { name } = described;
  const table = createTable(described, 1);
  const { row, place, add } = table;
  return {
    add(first, second) {
      if (write) write(name, table.clean(first, second), 1);
      else add(place(row(first), second), 1);
    },
    of(first) {
      const at = row(first);
      return write
        ? (second) => write(name, table.clean(first, second), 1)
        : (second) => add(place(at, second), 1);
    },
    text: () =>
      heading(described, 'counter') + table.rows((labels, [count = 0]) => line(name, labels, count)),
  };
}

/** @param bounds the upper bound of each bucket, in ascending order; a bucket without a bound follows */
export function createHistogram(
  described: Described & { readonly bounds: readonly number[] },
  write?: Write,
): Histogram {
  const { name, bounds } = described;
  // A cell for each bucket, one for the bucket without a bound, and one for the sum.
  const sumCell = bounds.length + 1;
  const table = createTable(described, sumCell + 1);
  function observe(start: number, value: number): void {
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    table.add(start + bucket, 1);
    table.add(start + sumCell, value);
  }
  return {
    observe(value, first) {
      if (write) write(name, table.clean(first), value);
      else observe(table.place(table.row(first)), value);
    },
    of(first) {
      const start = table.place(table.row(first));
      return write ? (value) => write(name, table.clean(first), value) : (value) => observe(start, value);
    },
    text: () =>
      heading(described, 'histogram') +
      table.rows((labels, cells) => histogramLines(name, labels, bounds, cells)),
  };
}

/** The lines of one histogram. @param cells the separate count of each bucket, and the sum */
function histogramLines(
  name: string,
  labels: string,
  bounds: readonly number[],
  cells: ArrayLike<number>,
): string {
  const comma = labels === '' ? '' : ',';
  let count = 0;
  let text = '';
  for (let bucket = 0; bucket <= bounds.length; bucket += 1) {
    count += cells[bucket] ?? 0;
    text += line(`${name}_bucket`, `${labels}${comma}le="${bounds[bucket] ?? '+Inf'}"`, count);
  }
  return (
    text + line(`${name}_sum`, labels, cells[bounds.length + 1] ?? 0) + line(`${name}_count`, labels, count)
  );
}

interface Read {
  readonly name: string;
  readonly help: string;
  /** The label that distinguishes a record's values. */
  readonly label?: string;
  /** A total counted elsewhere. */
  readonly isTotal?: true;
}

/** The values read for one response: a single value, or a record of values by label. */
export function gaugeText(
  { name, help, label = '', isTotal }: Read,
  value: number | Readonly<Record<string, number>>,
): string {
  const lines =
    typeof value === 'number'
      ? [line(name, '', value)]
      : Object.entries(value).map(([key, one]) => line(name, labelText(label, key), one));
  return heading({ name, help }, isTotal ? 'counter' : 'gauge') + lines.join('');
}

function heading({ name, help }: Described, kind: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
}

function line(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}\n` : `${name}{${labels}} ${value}\n`;
}

function labelText(name: string, value: Value): string {
  return `${name}="${String(value).replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`;
}

/**
 * One flat array: a row for each value of the first label, in the row one for each of the second, and in that the
 * cells.
 */
function createTable({ labels = {} }: Described, cells: number) {
  const [first, second] = Object.entries(labels).map(([name, values]) => createLabel(name, values));
  const width = second?.places() ?? 1;
  let values = new Float64Array((first?.places() ?? 1) * width * cells);
  /** Closed lists are exported from the start, including zeros, so that the first event is an increase. */
  const hasZeros = Object.values(labels).every((list) => list !== null);

  return {
    /** Returns the index of the first label's value, and allocates space for it. */
    row(one?: Value): number {
      const row = first?.place(one) ?? 0;
      if (row * width * cells >= values.length) {
        const larger = new Float64Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      return row;
    },
    place: (row: number, two?: Value): number => (row * width + (second?.place(two) ?? 0)) * cells,
    add(at: number, amount: number): void {
      values[at] = (values[at] ?? 0) + amount;
    },
    /** The same values with `other` for those outside the lists. */
    clean(one?: Value, two?: Value): Value[] {
      return [first?.clean(one), second?.clean(two)].filter((value) => value !== undefined);
    },
    rows(write: (labels: string, cells: Float64Array) => string): string {
      let text = '';
      for (let row = 0; row < (first?.places() ?? 1); row += 1) {
        for (let column = 0; column < width; column += 1) {
          const at = (row * width + column) * cells;
          const own = values.subarray(at, at + cells);
          const isOther = (first && row === 0) || (second && column === 0);
          if ((isOther || !hasZeros) && own.every((value) => value === 0)) continue;
          text += write([first?.text(row), second?.text(column)].filter(Boolean).join(','), own);
        }
      }
      return text;
    },
  };
}

/** The first index is that of `other`. */
function createLabel(name: string, list: readonly Value[] | null) {
  const values: Value[] = [other, ...(list ?? [])];
  const texts = values.map((value) => labelText(name, value));
  const known = new Map<Value | undefined, number>(values.map((value, at) => [value, at]));
  function place(value: Value | undefined): number {
    const at = known.get(value);
    if (at !== undefined) return at;
    if (list !== null || value === undefined || values.length >= mostLearned) return 0;
    known.set(value, values.length);
    texts.push(labelText(name, value));
    return values.push(value) - 1;
  }
  return {
    places: () => values.length,
    place,
    clean: (value: Value | undefined): Value => values[place(value)] ?? other,
    text: (at: number): string => present(texts[at], `the label ${name}`),
  };
}
