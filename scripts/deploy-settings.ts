import { ConfigError, misspeltSettings, parseConfig } from '../src/config.ts';
import { readBrand } from '../src/pages/other-words.ts';

/** Placeholders for secrets whose values cannot be read; those with a prescribed format need a matching one. */
const placeholders: Record<string, string> = {
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  SECRET_KEY_PREVIOUS: Buffer.alloc(32, 2).toString('base64'),
  DATABASE_URL: 'libsql://database.example.com',
};

export interface DeployProblems {
  /** Invalid settings that would prevent the Worker from starting. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Checks a Worker's settings before it is deployed.
 * @param vars the variables in `[env.production.vars]`
 * @param secrets the names of the Worker's secrets
 */
export function deployProblems(vars: Record<string, unknown>, secrets: readonly string[]): DeployProblems {
  const given = {
    ...vars,
    ...Object.fromEntries(secrets.map((name) => [name, placeholders[name] ?? 'secret'])),
  };
  const warnings = misspeltSettings(given);
  const openly = Object.keys(vars).filter(
    (name) => /SECRET|API_KEY|AUTH_TOKEN/.test(name) && vars[name] !== '',
  );
  const inClear = openly.map(
    (name) => `${name} must be a secret (wrangler secret put ${name} --env production)`,
  );
  return { errors: [...inClear, ...notOnWorkers(given), ...invalid(given, secrets)], warnings };
}

/** Lists the problems that would prevent a Worker from starting. */
function notOnWorkers(given: Record<string, unknown>): string[] {
  const { MAIL_TRANSPORT, RATE_LIMIT_STORE, DATABASE_URL } = given;
  return [
    ...(MAIL_TRANSPORT === 'smtp' ? ['MAIL_TRANSPORT must not be smtp on Workers: use resend'] : []),
    ...(RATE_LIMIT_STORE === 'database'
      ? ['RATE_LIMIT_STORE must be kv, memory or durable-object on Workers']
      : []),
    ...(String(DATABASE_URL).startsWith('file:')
      ? ['DATABASE_URL must be a libSQL server or an rqlite cluster on Workers']
      : []),
  ];
}

/** This check knows whether a secret exists, but not whether its value is valid. */
function invalid(given: Record<string, unknown>, secrets: readonly string[]): string[] {
  try {
    return readBrand(parseConfig(given));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.filter((problem) => !secrets.includes(problem.split(' ')[0] ?? ''));
  }
}
