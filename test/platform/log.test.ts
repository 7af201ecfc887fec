import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';

function collect(level: 'debug' | 'info' | 'warn' | 'error' = 'debug') {
  const lines: string[] = [];
  const log = createLogger(
    level,
    (line) => void lines.push(line),
    () => 1_800_000_000_000,
  );
  return { log, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('writes one JSON object per line: UTC time, level, event, then the fields', () => {
    const { log, lines } = collect();
    log.info('sign_in', { provider: 'idp', n: 1, nothing: null });
    expect(lines).toEqual([
      '{"time":"2027-01-15T08:00:00.000Z","level":"info","event":"sign_in","provider":"idp","n":1,"nothing":null}',
    ]);
  });

  it('stays on one line whatever a value contains [D-78]', () => {
    const { log, lines, entries } = collect();
    const nasty = '"}\r\n{"event":"forged"}\u2028\u2029\u0000\ud800';
    log.warn('event', { nasty, error: new Error(nasty) });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\r\n]/);
    expect(entries()[0]).toMatchObject({ event: 'event', nasty });
  });

  it('writes only lines at or above its level', () => {
    const levels = ['debug', 'info', 'warn', 'error'] as const;
    for (const [index, level] of levels.entries()) {
      const { log, entries } = collect(level);
      for (const own of levels) log[own]('event');
      expect(entries().map((entry) => entry['level'])).toEqual(levels.slice(index));
    }
  });

  it('never writes the value of a field named like a secret [D-78]', () => {
    const secrets = [
      'token',
      'refreshToken',
      'access_token',
      'clientSecret',
      'SECRET_KEY',
      'password',
      'code',
      'ticket',
      'Cookie',
    ];
    secrets.push('setCookie', 'authorization', 'codeVerifier', 'state', 'email', 'shownEmail', 'privateKey');
    const { log, lines } = collect();
    for (const name of secrets) log.info('event', { [name]: 'MARK' });
    expect(lines).toHaveLength(secrets.length);
    for (const line of lines) expect(line).toMatch(/"\[redacted\]"/);
    expect(lines.join()).not.toContain('MARK');
  });

  it('does not redact other fields: the error code, the handle, an absent value', () => {
    const { log, entries } = collect();
    log.info('event', { errorCode: 'not_found', handle: 'ayu', status: 404, token: null });
    expect(entries()[0]).toMatchObject({ errorCode: 'not_found', handle: 'ayu', status: 404, token: null });
  });

  it('writes an error’s name, message, origin and causes to a limited depth', () => {
    const { log, entries } = collect();
    const root = new TypeError('root');
    let error = new Error('0', { cause: root });
    for (const level of [1, 2, 3, 4, 5]) error = new Error(`${level}`, { cause: error });
    log.error('event', { error, other: new RangeError('x', { cause: 'a text' }) });
    const [entry] = entries();
    expect(entry?.['error']).toMatchObject({
      name: 'Error',
      message: '5',
      stack: expect.any(Array),
      cause: { message: '4' },
    });
    expect(JSON.stringify(entry)).not.toContain('"message":"0"');
    expect(entry?.['other']).toMatchObject({ name: 'RangeError', message: 'x' });
  });

  it('survives an error that is its own cause, and values that JSON cannot represent', () => {
    const { log, entries } = collect();
    const circle: Error & { cause?: unknown } = new Error('circle');
    circle.cause = circle;
    log.error('event', { error: circle });
    log.error('event', { big: 1n });
    const ring: Record<string, unknown> = {};
    ring['self'] = ring;
    log.error('event', { ring });
    expect(entries()).toHaveLength(3);
  });
});
