import { describe, expect, it } from 'vitest';
import { sandboxProvider, startService } from '../support/service.ts';

const production = {
  ENVIRONMENT: 'production',
  MAIL_TRANSPORT: 'outbox',
  BASE_URL: 'https://id.example.com',
  CLIENT_SUCCESS_URL: 'https://app.example.com/',
};

/** The message with which the service refuses to start with these settings. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const target = await startService({ ...sandboxProvider, ...production, ...settings }).catch(
    (error: Error) => error.message,
  );
  if (typeof target === 'string') return target;
  throw new Error('the service started');
}

describe('a production service', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['a secret that is too short', { SECRET_KEY: 'c2hvcnQtc2VjcmV0' }, 'SECRET_KEY'],
    ['the example secret', { SECRET_KEY: `${'A'.repeat(43)}=` }, 'SECRET_KEY'],
    ['no client address', { CLIENT_SUCCESS_URL: '' }, 'CLIENT_SUCCESS_URL'],
    ['a client over http', { CLIENT_SUCCESS_URL: 'http://app.example.com/marked' }, 'CLIENT_SUCCESS_URL'],
    ['a cookie domain that is not a parent', { COOKIE_DOMAIN: 'marked.example.org' }, 'COOKIE_DOMAIN'],
    ['no mail transport', { MAIL_TRANSPORT: '' }, 'MAIL_TRANSPORT'],
    ['an invalid mail server', { SMTP_URL: 'smtp+marked://user:secret@relay' }, 'SMTP_URL'],
    ['disabled limits', { RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
  ];

  it.each(cases)(
    'does not start with %s, and its error contains the variable but not the value [D-20]',
    async (_, settings, name) => {
      const said = await refusal(settings);
      expect(said).toContain(name);
      for (const value of Object.values(settings).filter((text) => text.length > 3)) {
        expect(said).not.toContain(value);
      }
    },
  );
});
