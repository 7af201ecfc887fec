import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { Round } from './load.ts';

export interface Result {
  name: string;
  ours: Round[];
  /** The rounds of the compared side; absent for standalone figures. */
  other?: Round[];
  /** The minimum share of the other side's result that ours must reach. */
  target?: number;
}

/** A figure with its own limit. */
export interface Bar {
  name: string;
  value: number;
  unit: string;
  least?: number;
  most?: number;
}

interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicros: number;
}

const unit = 'requests/s';
const header = [
  '',
  'ours/s',
  'p50 ms',
  'p99 ms',
  'cpu µs',
  'floor/s',
  'p50 ms',
  'p99 ms',
  'cpu µs',
  'ratio',
  'target',
  '',
];

export function printTable(results: Result[]): void {
  const lines = [header, ...results.map(tableLine)];
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  for (const cells of [header, rule, ...lines.slice(1)]) {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(padded.join('  ').trimEnd());
  }
}

export function printBars(bars: Bar[]): void {
  for (const { name, value, unit, least, most } of bars) {
    const isMet = value >= (least ?? -Infinity) && value <= (most ?? Infinity);
    const bound = least === undefined ? `at most ${most}` : `at least ${least}`;
    console.log(`${name}: ${value.toFixed(value < 10 ? 3 : 2)} ${unit}, ${bound}  ${isMet ? 'ok' : 'MISS'}`);
  }
}

export function writeResults(
  results: Result[],
  bars: Bar[],
  settings: { rounds: number; seconds: number },
): string {
  const file = join(import.meta.dirname, 'results.json');
  const report = {
    machine: describeMachine(),
    date: new Date().toISOString(),
    ...settings,
    ratios: results.filter(({ target }) => target !== undefined).map(ratioEntry),
    bars,
    rows: results.map(({ name, ours, other }) => ({
      name,
      unit,
      ours: { ...median(ours), rounds: ours },
      other: other === undefined ? null : { ...median(other), rounds: other },
    })),
  };
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

export function describeMachine(): string {
  const cores = cpus();
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  const bun = execFileSync('bun', ['--version'], { encoding: 'utf8' }).trim();
  return `${cores.length} x ${cores[0]?.model.trim() ?? 'unknown'}, ${memoryGiB} GiB, ${type()} ${release()}, Bun ${bun}`;
}

function ratioEntry(result: Result): object {
  return {
    name: result.name,
    ratio: round(ratioOf(result) ?? 0, 3),
    target: result.target,
    ours: median(result.ours).requestsPerSecond,
    other: median(result.other ?? []).requestsPerSecond,
    unit,
  };
}

function tableLine(result: Result): string[] {
  const { name, ours, other, target } = result;
  const ratio = ratioOf(result);
  const verdict = ratio === undefined || target === undefined ? '' : ratio >= target ? 'ok' : 'MISS';
  return [
    name,
    ...figureCells(ours),
    ...(other === undefined ? ['', '', '', ''] : figureCells(other)),
    ratio?.toFixed(2) ?? '',
    target?.toFixed(2) ?? '',
    verdict,
  ];
}

function figureCells(rounds: Round[]): string[] {
  const { requestsPerSecond, p50Ms, p99Ms, cpuMicros } = median(rounds);
  const cpu = cpuMicros === 0 ? '' : cpuMicros.toFixed(0);
  return [requestsPerSecond.toLocaleString('en'), p50Ms.toFixed(2), p99Ms.toFixed(2), cpu];
}

function ratioOf({ ours, other }: Result): number | undefined {
  return other === undefined ? undefined : median(ours).requestsPerSecond / median(other).requestsPerSecond;
}

function median(rounds: Round[]): Figures {
  const middle = (figure: (round: Round) => number): number =>
    rounds.map(figure).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
  return {
    requestsPerSecond: Math.round(middle((each) => each.requestsPerSecond)),
    p50Ms: round(
      middle((each) => each.p50Ms),
      3,
    ),
    p99Ms: round(
      middle((each) => each.p99Ms),
      3,
    ),
    cpuMicros: round(
      middle((each) => each.cpuMicros ?? 0),
      1,
    ),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
