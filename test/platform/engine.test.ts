import { expect, it } from 'vitest';
import { ConfigError } from '../../src/config.ts';
import { checkEngine } from '../../src/platform/database/engine.ts';
import { sqliteVersion } from '../../src/platform/database/libsql-connection.ts';
import { createLogger } from '../../src/platform/log.ts';

function check(sqlite: string, production: boolean): string {
  let line = '';
  const log = createLogger('info', (text) => (line = text), Date.now);
  checkEngine(sqlite, production, log);
  return line;
}

it('an SQLite version that can lose commits is rejected in production and causes a warning in development', () => {
  for (const version of ['3.9.0', '3.45.1', '3.51.2']) {
    expect(() => check(version, true)).toThrow(ConfigError);
    expect(() => check(version, true)).toThrow(`SQLite ${version} can lose commits`);
    expect(check(version, false)).toContain('"level":"warn"');
  }
});

it('the SQLite version of this runtime is safe, and is logged', () => {
  for (const version of [sqliteVersion(), '3.51.3', '3.52.0', '4.0.0']) {
    expect(check(version, true)).toContain(`"sqlite":"${version}"`);
  }
});
