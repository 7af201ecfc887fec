import type { LogFields, Logger } from '../deps.ts';
import { isoTime } from '../lib/id.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';
const order: readonly Level[] = ['debug', 'info', 'warn', 'error'];

/** Fields whose values never appear in a log line. */
const secretField = /token|secret|password|code|ticket|cookie|authorization|verifier|state$|email|private/i;

/**
 * A logger that writes one JSON object per line. It redacts fields named like secrets, and shows errors with name,
 * message, stack and causes.
 */
export function createLogger(level: Level, write: (line: string) => void, now: () => number): Logger {
  const least = order.indexOf(level);
  const at = (own: Level) =>
    order.indexOf(own) < least
      ? () => {}
      : (event: string, fields: LogFields = {}) => {
          const time = isoTime(now());
          write(toLine({ time, level: own, event, ...redact(fields) }));
        };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Must not throw, because that would hide the error being logged. */
function toLine(entry: Record<string, unknown>): string {
  try {
    return JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
  } catch {
    const { time, level, event } = entry;
    return JSON.stringify({ time, level, event, fields: 'cannot be written as JSON' });
  }
}

function redact(fields: LogFields): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => {
    if (name !== 'errorCode' && secretField.test(name) && value != null) return [name, '[redacted]'];
    return [name, value instanceof Error ? describe(value) : value];
  });
  return Object.fromEntries(entries);
}

function describe(error: Error, depth = 0): Record<string, unknown> {
  const cause = error.cause instanceof Error && depth < 3 ? { cause: describe(error.cause, depth + 1) } : {};
  return { name: error.name, message: error.message, stack: error.stack?.split('\n').slice(1, 6), ...cause };
}
