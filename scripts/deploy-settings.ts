import { ConfigError, misspeltSettings, parseConfig } from '../src/config.ts';

/** What stands for a secret whose value nobody can read; those with a form of their own need one that fits. */
const placeholders: Record<string, string> = {
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  SECRET_KEY_PREVIOUS: Buffer.alloc(32, 2).toString('base64'),
  DATABASE_URL: 'libsql://database.example.com',
};

export interface DeployProblems {
  /** With these the Worker would not start. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Checks the settings of a Worker before it is deployed.
 * @param vars those of `[env.production.vars]`
 * @param secrets the names of its secrets
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
  try {
    const { mail } = parseConfig(given);
    const onWorkers =
      mail.transport === 'smtp' ? ['MAIL_TRANSPORT must not be smtp on Workers: use resend'] : [];
    return { errors: [...inClear, ...onWorkers], warnings };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { errors: [...inClear, ...error.problems], warnings };
  }
}
