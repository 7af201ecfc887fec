import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deployProblems } from '../scripts/deploy-settings.ts';

/** The settings from docs/deploying.md. */
const guide = readFileSync(join(import.meta.dirname, '../docs/deploying.md'), 'utf8');
const [, table = ''] = /\[env\.production\.vars\]\n(.*?)```/s.exec(guide) ?? [];
const vars = Object.fromEntries(
  [...table.matchAll(/^ *([A-Z_]+) = "(.*)"$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const secrets = ['SECRET_KEY', 'IDP_CLIENT_SECRET', 'RESEND_API_KEY'];

describe('a Worker’s settings, before deployment', () => {
  it('are valid as shown in the guide', () => {
    expect(deployProblems(vars, secrets)).toEqual({ errors: [], warnings: [] });
    const more = [...secrets, 'SECRET_KEY_PREVIOUS', 'DATABASE_URL', 'DATABASE_AUTH_TOKEN'];
    expect(deployProblems(vars, more).errors).toEqual([]);
    expect(vars).toMatchObject({ ENVIRONMENT: 'production', BASE_URL: 'https://id.example.com' });
    const { IDP_ISSUER: _, ...rest } = vars;
    expect(deployProblems({ ...rest, ACCESS_TTL_SECONDS: 300 }, [...secrets, 'IDP_ISSUER']).errors).toEqual(
      [],
    );
  });

  it.each([
    ['a missing secret', vars, secrets.slice(1), /^SECRET_KEY/],
    ['an invalid setting', { ...vars, BASE_URL: 'http://id.example.com' }, secrets, /^BASE_URL/],
    ['an unreadable accent', { ...vars, BRAND_ACCENT: '#ffff00' }, secrets, /^BRAND_ACCENT must/],
    ['an unknown text', { ...vars, TEXTS: '{"en":{"a.b":"c"}}' }, secrets, /^TEXTS must/],
    [
      'a feature that Workers lack',
      { ...vars, MAIL_TRANSPORT: 'smtp', SMTP_URL: 'smtps://u:p@mail.example.com:465' },
      secrets,
      /smtp on Workers/,
    ],
    [
      'a secret in plain text',
      { ...vars, SECRET_KEY: Buffer.alloc(32, 3).toString('base64') },
      secrets,
      /^SECRET_KEY must be a secret/,
    ],
  ])('are rejected for %s', (_, given, names, problem) => {
    const { errors } = deployProblems(given, names);
    expect(errors).toEqual([expect.stringMatching(problem)]);
  });

  it('cause a warning for a misspelt name', () => {
    const { errors, warnings } = deployProblems(
      { ...vars, ALOWED_ORIGINS: 'https://app.example.com' },
      secrets,
    );
    expect(errors).toEqual([]);
    expect(warnings).toEqual(['ALOWED_ORIGINS is not a setting; did you mean ALLOWED_ORIGINS?']);
  });
});
