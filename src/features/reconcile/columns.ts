import * as z from 'zod/mini';
import { derivedId } from '../../lib/id.ts';
import { present } from '../../lib/present.ts';
import { type CsvRecord, LineProblem } from './csv.ts';

/** The heading of each column, or `=` and a value for every line. */
const heading = z.string().check(z.minLength(1), z.maxLength(100));
const delimiter = z._default(
  z.enum([',', ';', '\t', '|'], 'delimiter must be one of , ; | and the tab'),
  ',',
);

/** The headings of a provider's report. Without `payout`, the provider makes one transfer per day. */
const providerMap = z.strictObject({
  delimiter,
  order: heading,
  payment: heading,
  status: heading,
  time: heading,
  gross: heading,
  fee: heading,
  net: heading,
  currency: heading,
  payout: z.optional(heading),
});

/** The headings of a bank statement. */
const bankMap = z.strictObject({
  delimiter,
  reference: heading,
  amount: heading,
  time: heading,
  currency: heading,
  /** Lines without this text in their reference are skipped. */
  only: z.optional(heading),
});

const midtrans: z.input<typeof providerMap> = {
  order: 'Order ID',
  payment: 'Transaction ID',
  status: 'Transaction Status',
  time: 'Settlement Time',
  gross: 'Gross Amount',
  fee: 'Fee',
  net: 'Net Amount',
  currency: 'Currency',
  payout: 'Payout ID',
};
const bank = { reference: 'Description', amount: 'Credit', time: 'Date', currency: 'Currency' };

/** The issuer of a report. */
export type Source = 'midtrans' | 'sandbox' | 'bank';

/** A line as stored. */
export interface ReportLine {
  readonly line: number;
  readonly key: string;
  readonly kind: 'payment' | 'return' | 'arrival';
  readonly ref: string;
  readonly payment: string | null;
  readonly adjustment: string | null;
  /** In Jakarta. */
  readonly day: string;
  /** Rupiah, or the minor units of another currency. */
  readonly gross: number;
  readonly fee: number;
  readonly currency: string;
  readonly payout: string | null;
}

type Cell = (name: string) => string;

/** Reads one source's lines. */
export interface LineReader {
  readonly delimiter: string;
  /** Checks the file's heading. @throws LineProblem */
  begin(heading: CsvRecord): (record: CsvRecord) => ReportLine | null;
}

/**
 * Returns the reader of a source's reports.
 * @param map headings by field name, as JSON; by default those of Midtrans or, for a bank, those in
 *   docs/reconciliation.md
 * @throws ZodError
 */
export function lineReader(source: Source, map: unknown): LineReader {
  const shape: z.ZodMiniType<Record<string, string | undefined>> = source === 'bank' ? bankMap : providerMap;
  const columns = shape.parse(map ?? (source === 'bank' ? bank : midtrans));
  const { delimiter: between = ',', only, ...fields } = columns as Record<string, string | undefined>;
  const read = source === 'bank' ? readArrival(only ?? '') : readPayment(source, 'payout' in fields);
  return {
    delimiter: between,
    begin(first) {
      const at = new Map<string, number>();
      for (const [field, name = ''] of Object.entries(fields)) {
        if (name.startsWith('=')) continue;
        const index = first.cells.indexOf(name);
        if (index < 0) throw new LineProblem(first.line, `the column "${name}" (${field}) is missing`);
        if (first.cells.lastIndexOf(name) !== index)
          throw new LineProblem(first.line, `the column "${name}" (${field}) appears twice`);
        at.set(field, index);
      }
      return ({ line, cells }) => {
        if (cells.length !== first.cells.length)
          throw new LineProblem(
            line,
            `has ${cells.length} columns, and the heading has ${first.cells.length}`,
          );
        const cell = (name: string) => {
          const index = at.get(name);
          return index === undefined
            ? (fields[name] ?? '').slice(1)
            : present(cells[index], 'a counted cell').trim();
        };
        return read(line, cell);
      };
    },
  };
}

/** The movement of money that a provider's status reports. `none`: not paid, or voided before settlement. */
const statuses: Readonly<Record<string, 'payment' | 'return' | 'none'>> = {
  settlement: 'payment',
  capture: 'payment',
  refund: 'return',
  partial_refund: 'return',
  chargeback: 'return',
  partial_chargeback: 'return',
  ...{ pending: 'none', expire: 'none', cancel: 'none', deny: 'none', failure: 'none', authorize: 'none' },
};

function readPayment(source: Source, hasPayouts: boolean) {
  return (line: number, cell: Cell): ReportLine | null => {
    const kind = statuses[cell('status').toLowerCase()];
    if (kind === undefined) throw new LineProblem(line, `the status "${cell('status')}" is not known`);
    if (kind === 'none') return null;
    const [ref, payment] = [text(line, cell, 'order'), text(line, cell, 'payment')];
    const day = dayOf(line, cell('time'));
    const given = amountOf(line, 'gross', cell('gross'));
    if (given === 0 || (kind === 'payment' && given < 0))
      throw new LineProblem(line, 'gross must be above zero');
    // Some reports omit the sign of a refund.
    const sign = kind === 'return' && given > 0 ? -1 : 1;
    const [gross, fee] = [sign * given, amountOf(line, 'fee', cell('fee'))];
    const net = amountOf(line, 'net', cell('net'));
    if (net !== gross - fee && sign * net !== gross - fee)
      throw new LineProblem(line, `net is ${net}, and gross minus fee is ${gross - fee}`);
    const once = kind === 'payment' ? '' : ` ${cell('time')} ${gross}`;
    return {
      ...{ line, kind, ref, payment, day, gross, fee, currency: currencyOf(line, cell) },
      key: `${source} ${kind} ${payment}${once}`,
      adjustment: kind === 'payment' ? derivedId('adj', `${source} ${payment}`) : null,
      payout: hasPayouts ? text(line, cell, 'payout') : day,
    };
  };
}

function readArrival(only: string) {
  return (line: number, cell: Cell): ReportLine | null => {
    const ref = text(line, cell, 'reference');
    const gross = cell('amount') === '' ? 0 : amountOf(line, 'amount', cell('amount'));
    // A debit is not an incoming payment.
    if (!ref.includes(only) || gross <= 0) return null;
    const day = dayOf(line, cell('time'));
    const key = `bank ${cell('time')} ${gross} ${ref}`;
    const none = { payment: null, adjustment: null, payout: null, fee: 0 };
    return { ...none, line, key, kind: 'arrival', ref, day, gross, currency: currencyOf(line, cell) };
  };
}

function text(line: number, cell: Cell, name: string): string {
  const value = cell(name);
  if (value === '') throw new LineProblem(line, `${name} is empty`);
  if (value.length > 200) throw new LineProblem(line, `${name} has more than 200 characters`);
  return value;
}

function currencyOf(line: number, cell: Cell): string {
  if (!/^[A-Z]{3}$/.test(cell('currency')))
    throw new LineProblem(line, 'currency must be three capital letters');
  return cell('currency');
}

/** Whole units: `10000` or `10000.00`. Thousands separators are rejected, because they mean other amounts elsewhere. */
function amountOf(line: number, name: string, value: string): number {
  const [, digits] = /^(-?\d{1,13})(?:\.0{1,2})?$/.exec(value) ?? [];
  if (digits === undefined || Math.abs(Number(digits)) > 1e12)
    throw new LineProblem(
      line,
      `${name} must be a whole amount such as 10000 or 10000.00, not "${value.slice(0, 30)}"`,
    );
  return Number(digits) + 0;
}

/** `2026-11-22`, `2026-11-22 14:30:00`, or the banks' format `22/11/2026`, all in Jakarta time. */
function dayOf(line: number, value: string): string {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[ T]\d\d:\d\d(?::\d\d)?(?:\+07:?00)?)?$/.exec(value);
  const [, d, m, y] = /^(\d\d)[/-](\d\d)[/-](\d{4})(?: \d\d:\d\d(?::\d\d)?)?$/.exec(value) ?? [];
  const day = iso ? `${iso[1]}-${iso[2]}-${iso[3]}` : `${y}-${m}-${d}`;
  const at = Date.parse(day);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day)
    throw new LineProblem(
      line,
      `time must look like 2026-11-22 14:30:00 or 22/11/2026, not "${value.slice(0, 30)}"`,
    );
  return day;
}
