import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, misspeltSettings, parseConfig } from '../src/config.ts';
import { runBun } from './support/bun-process.ts';
import { production } from './support/production.ts';
import { testSecretKey } from './support/target.ts';

const least = { SECRET_KEY: testSecretKey };
const deployed = { ...least, ...production };
const google = { GOOGLE_CLIENT_ID: 'g', GOOGLE_CLIENT_SECRET: 's' };
const github = { GITHUB_CLIENT_ID: 'h', GITHUB_CLIENT_SECRET: 't' };

/** The problems with some settings; each is one line that starts with the variable's name. */
function problemsOf(variables: Record<string, unknown>): string[] {
  try {
    parseConfig(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const named = (variables: Record<string, unknown>) =>
  problemsOf(variables).map((problem) => problem.split(' ', 1)[0]);

describe('parseConfig', () => {
  it('needs only a secret in development and uses the documented defaults', () => {
    const config = parseConfig(least);
    expect(config).toMatchObject({
      production: false,
      origin: 'http://localhost:8787',
      CLIENT_SUCCESS_URL: 'http://localhost:8787/dev/welcome',
      ACCESS_TTL_SECONDS: 900,
      REFRESH_TTL_SECONDS: 2_592_000,
      CLAIM_TTL_SECONDS: 600,
      REFRESH_GRACE_SECONDS: 30,
      SESSION_MAX_SECONDS: 7_776_000,
      FRESH_SECONDS: 900,
      APP_FEE_MAX_BASIS_POINTS: 1000,
      APP_FEE_MAX_FIXED: 10_000,
      RATE_LIMITS: 'on',
      HINT_COOKIE: 'on',
      INTERFACE_REVISION: 'claim',
      moneyNeedsCheck: false,
    });
    expect(config.idp).toMatchObject({ issuer: 'http://localhost:8787/dev/idp', name: 'Sandbox' });
    expect(config.google).toMatchObject({
      issuer: 'http://localhost:8787/dev/google',
      name: 'Google (sandbox)',
    });
    expect(config.github).toMatchObject({
      baseUrl: 'http://localhost:8787/dev/github',
      name: 'GitHub (sandbox)',
    });
    expect([...config.firstPartyOrigins]).toEqual(['http://localhost:8787']);
  });

  it('accepts only a HOST that other machines cannot reach in development', () => {
    for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', '[::1]', 'localhost'])
      expect(problemsOf({ ...least, HOST }), HOST).toEqual([]);
    for (const HOST of ['0.0.0.0', '::', '192.168.1.7', 'laptop.local', 'fe80::1']) {
      const [problem = '', ...others] = problemsOf({ ...least, HOST });
      expect(problem, HOST).toMatch(/^HOST must be a loopback address .* in development/);
      expect(others).toEqual([]);
      expect(problemsOf({ ...deployed, HOST }), HOST).toEqual([]);
    }
  });

  it('sets no wallet limits by default, and accepts one number for everyone or one per level', () => {
    expect(parseConfig({ ...least, LIMIT_DAY: '5' }).limits).toBeNull();
    const none = { payment: null, day: null };
    expect(parseConfig({ ...least, WALLET_LIMITS: 'on' }).limits?.levels).toEqual({
      unverified: { ...none, month: 40_000_000, held: 2_000_000 },
      verified: { ...none, month: 40_000_000, held: 20_000_000 },
    });
    const own = { LIMIT_PAYMENT: '7', LIMIT_DAY: '5,none', LIMIT_MONTH: 'none', LIMIT_HELD: 'none,9' };
    expect(parseConfig({ ...least, WALLET_LIMITS: 'on', ...own }).limits?.levels).toEqual({
      unverified: { payment: 7, day: 5, month: null, held: null },
      verified: { payment: 7, day: null, month: null, held: 9 },
    });
    for (const bad of ['0', '-1', '1.5', '1,2,3', 'none,', '1000000000001', 'lots'])
      expect(problemsOf({ ...least, LIMIT_DAY: bad }), bad).toEqual([
        expect.stringMatching(/^LIMIT_DAY must be whole numbers from 1 to 1000000000000, or none/),
      ]);
  });

  it('rejects credentials in database addresses, except a token', () => {
    const at = (DATABASE_URL: string) => problemsOf({ ...least, DATABASE_URL });
    for (const good of ['file:./a.db', 'libsql://db.example.com', 'http://127.0.0.1:8080/?authToken=t'])
      expect(at(good)).toEqual([]);
    for (const bad of ['wss://db.example.com', 'postgres://db', 'a.db'])
      expect(at(bad)).toEqual([
        'DATABASE_URL must begin with file:, libsql:, https:, http:, rqlite: or rqlites:',
      ]);
    expect(problemsOf({ ...least, KV_URL: 'rqlite://a:4001' })).toEqual([
      'KV_URL must begin with file:, libsql:, https: or http:',
    ]);
    const secret = 'sekret';
    for (const bad of [
      `https://u:${secret}@db`,
      `https://${secret}@db`,
      `https://db/#${secret}`,
      `https://db/?${secret}`,
      `https://db/?authToken=two%0A${secret}`,
      'https://',
    ])
      expect(at(bad)).toEqual([
        'DATABASE_URL must be the address of a server, with no user, password or fragment',
      ]);
    const token = (DATABASE_AUTH_TOKEN: string) => problemsOf({ ...least, DATABASE_AUTH_TOKEN });
    expect(token('eyJ.a-b_c.d\n')).toEqual([]);
    expect(token(`two ${secret}`)).toEqual(['DATABASE_AUTH_TOKEN must be one token']);
  });

  it('accepts no relative path of a file in production, because it depends on the folder of the start', () => {
    for (const bad of ['file:./data/a.db', 'file:a.db', 'file:../a.db', 'file:~/a.db']) {
      expect(problemsOf({ ...deployed, DATABASE_URL: bad, KV_URL: bad }), bad).toEqual([
        'DATABASE_URL must be set to an absolute path in production, such as file:/var/lib/peridot/peridot.db',
        'KV_URL must be set to an absolute path in production, such as file:/var/lib/peridot-kv/kv.db',
      ]);
      expect(problemsOf({ ...least, DATABASE_URL: bad, KV_URL: bad }), bad).toEqual([]);
    }
    for (const good of ['file:/data/a.db', 'file:///data/a.db', 'file::memory:', 'libsql://db.example.com'])
      expect(problemsOf({ ...deployed, DATABASE_URL: good, KV_URL: good }), good).toEqual([]);
  });

  it('accepts the nodes of one rqlite cluster, with at most one user and password', () => {
    const at = (DATABASE_URL: string) => problemsOf({ ...least, DATABASE_URL });
    for (const good of [
      'rqlite://a:4001,b.example.com:4001,10.0.0.3:4001',
      'rqlites://user:p%40ss:word@a,b',
      'rqlite://a',
    ])
      expect(at(good), good).toEqual([]);
    for (const bad of [
      'rqlite:',
      'rqlite://',
      'rqlite://,',
      'rqlite://a,',
      'rqlite://a:4001,rqlites://b:4001',
      'rqlite://a:4001,http://b:4001',
      'rqlite://u:p@a,u:p@b',
      'rqlite://user@a',
      'rqlite://u:100%@a',
      'rqlite://a:port',
      'rqlite://a/db',
      'rqlite://a?level=none',
      'rqlite://a b',
    ])
      expect(at(bad), bad).toEqual([expect.stringContaining('DATABASE_URL must be rqlite://host:4001')]);
  });

  it('accepts only hosts in CLIENT_DOCUMENTS', () => {
    const hosts = (text: string) => parseConfig({ ...deployed, CLIENT_DOCUMENTS: text }).CLIENT_DOCUMENTS;
    expect(hosts('agent.example.com, other.example')).toEqual(['agent.example.com', 'other.example']);
    for (const wrong of [
      'https://agent.example.com',
      'agent.example.com/',
      'Agent.example.com',
      'a b',
      '*.x/y',
    ])
      expect(() => hosts(wrong), wrong).toThrow('CLIENT_DOCUMENTS must be hosts');
  });

  it('accepts the settings of a deployed service, and allows its client and the listed origins', () => {
    const config = parseConfig(deployed);
    expect(config.production).toBe(true);
    expect(config.moneyNeedsCheck).toBe(true);
    expect(parseConfig({ ...deployed, APPS_MONEY: 'anyone' }).moneyNeedsCheck).toBe(false);
    expect([config.google, config.github]).toEqual([null, null]);
    expect([...config.firstPartyOrigins]).toEqual([
      'https://id.example.com',
      'https://app.example.com',
      'https://spa.example.com',
      'https://other.example.com:8443',
    ]);
  });

  it('disables mail in development unless configured, and requires a complete transport', () => {
    expect(parseConfig(least).mail).toEqual({ transport: 'outbox' });
    expect(named({ ...deployed, MAIL_TRANSPORT: '' })).toEqual(['MAIL_TRANSPORT']);
    expect(named({ ...least, MAIL_TRANSPORT: 'pigeon' })).toEqual(['MAIL_TRANSPORT']);
    expect(named({ ...deployed, MAIL_TRANSPORT: 'resend' })).toEqual(['MAIL_FROM', 'RESEND_API_KEY']);
    expect(named({ ...least, MAIL_TRANSPORT: 'smtp' })).toEqual(['MAIL_FROM', 'SMTP_URL']);
    const from = { MAIL_FROM: 'Peridot <no-reply@Example.com>' };
    const sender = { name: 'Peridot', address: 'no-reply@example.com' };
    const resend = { ...deployed, ...from, MAIL_TRANSPORT: 'resend', RESEND_API_KEY: 're_1' };
    expect(parseConfig(resend).mail).toEqual({
      transport: 'resend',
      from: sender,
      baseUrl: 'https://api.resend.com',
      apiKey: 're_1',
    });
    const smtp = { ...deployed, ...from, MAIL_TRANSPORT: 'smtp', SMTP_URL: 'smtps://u:p@mail.example.com' };
    expect(parseConfig(smtp).mail).toMatchObject({ transport: 'smtp', from: sender, server: { port: 465 } });
    // Secrets appear nowhere else in the settings.
    expect(parseConfig(smtp)).not.toHaveProperty('SMTP_URL');
    expect(parseConfig(resend)).not.toHaveProperty('RESEND_API_KEY');
    for (const RESEND_BASE_URL of ['http://api.example.com', 'ftp://x']) {
      expect(named({ ...resend, RESEND_BASE_URL })).toEqual(['RESEND_BASE_URL']);
    }
  });

  it('uses the sandbox for payments in development and no provider in production, and rejects incomplete settings', () => {
    const sandbox = { name: 'sandbox' };
    expect(parseConfig(least).gateways).toEqual({
      payments: sandbox,
      payouts: sandbox,
      cardCredit: 'settlement',
    });
    expect(parseConfig(deployed).gateways).toEqual({
      payments: null,
      payouts: null,
      cardCredit: 'settlement',
    });
    const midtrans = { PAYMENT_GATEWAY: 'midtrans', MIDTRANS_SERVER_KEY: 'Mid-server-key' };
    const config = parseConfig({ ...deployed, ...midtrans });
    const [apiUrl, snapUrl] = ['https://api.midtrans.com', 'https://app.midtrans.com'];
    const payments = { name: 'midtrans', serverKey: 'Mid-server-key', apiUrl, snapUrl };
    expect(config.gateways).toEqual({ payments, payouts: null, cardCredit: 'settlement' });
    expect(parseConfig({ ...least, CARD_CREDIT: 'capture' }).gateways.cardCredit).toBe('capture');
    expect(named({ ...least, CARD_CREDIT: 'charge' })).toEqual(['CARD_CREDIT']);
    expect(config).not.toHaveProperty('MIDTRANS_SERVER_KEY');
    const at = (MIDTRANS_BASE_URL: string) =>
      parseConfig({ ...least, ...midtrans, MIDTRANS_BASE_URL }).gateways.payments;
    expect(at('https://api.sandbox.midtrans.com/')).toMatchObject({
      apiUrl: 'https://api.sandbox.midtrans.com',
      snapUrl: 'https://app.sandbox.midtrans.com',
    });
    const local = 'http://127.0.0.1:9';
    expect(at(local)).toMatchObject({ apiUrl: local, snapUrl: local });
    expect(named({ ...deployed, ...midtrans, MIDTRANS_BASE_URL: local })).toEqual(['MIDTRANS_BASE_URL']);
    expect(named({ ...least, PAYMENT_GATEWAY: 'midtrans' })).toEqual(['MIDTRANS_SERVER_KEY']);
    for (const half of [{ MIDTRANS_SERVER_KEY: 'k' }, { MIDTRANS_BASE_URL: local }])
      expect(named({ ...least, ...half })).toEqual(['PAYMENT_GATEWAY']);
    const keys = {
      MIDTRANS_PAYOUT_CREATOR_KEY: 'creator',
      MIDTRANS_PAYOUT_APPROVER_KEY: 'approver',
      MIDTRANS_PAYOUT_MERCHANT_KEY: 'merchant',
    };
    const paidOut = parseConfig({ ...deployed, PAYOUT_GATEWAY: 'midtrans', ...keys });
    expect(paidOut.gateways).toEqual({
      cardCredit: 'settlement',
      payments: null,
      payouts: {
        ...{ name: 'midtrans', creatorKey: 'creator', approverKey: 'approver', merchantKey: 'merchant' },
        url: 'https://app.midtrans.com/iris',
      },
    });
    for (const name of Object.keys(keys)) {
      expect(paidOut).not.toHaveProperty(name);
      expect(named({ ...least, PAYOUT_GATEWAY: 'midtrans', ...keys, [name]: '' })).toEqual([name]);
      expect(named({ ...least, [name]: 'k' })).toEqual(['PAYOUT_GATEWAY']);
    }
    expect(named({ ...deployed, PAYMENT_GATEWAY: 'sandbox', PAYOUT_GATEWAY: 'sandbox' })).toEqual([
      'PAYMENT_GATEWAY',
      'PAYOUT_GATEWAY',
    ]);
    expect(named({ ...least, PAYMENT_GATEWAY: 'pigeon', PAYOUT_GATEWAY: 'pigeon' })).toEqual([
      'PAYMENT_GATEWAY',
      'PAYOUT_GATEWAY',
    ]);
  });

  it('treats an empty variable as absent and ignores unknown ones', () => {
    expect(
      problemsOf({ ...least, PORT: '', COOKIE_DOMAIN: '', SECRET_KEY_PREVIOUS: '', PATH: '/bin', DB: {} }),
    ).toEqual([]);
  });

  it('reports all problems together, each with its variable but never its value [D-20]', () => {
    const secret = 'c2hvcnQtc2VjcmV0LXZhbHVl';
    const wrong: Record<string, string> = {
      ENVIRONMENT: 'staging-value',
      BASE_URL: 'http://id.example-value.com',
      CLIENT_SUCCESS_URL: 'ftp://client-value',
      ALLOWED_ORIGINS: 'https://ok.example.com, https://path.example-value.com/x',
      SECRET_KEY: secret,
      SECRET_KEY_PREVIOUS: '!!not-base64-value!!',
      RATE_LIMIT_STORE: 'disk-value',
      RATE_LIMITS: '{"POST /v1/auth/login":-1}',
      IDP_ISSUER: 'http://issuer-value.example.com',
      IDP_NAME: 'name-value-'.repeat(9),
      ACCESS_TTL_SECONDS: '0',
      REFRESH_TTL_SECONDS: 'soon-value',
      CLAIM_TTL_SECONDS: '-5',
      REFRESH_GRACE_SECONDS: '-1',
      SESSION_MAX_SECONDS: '1.5',
      FRESH_SECONDS: '-1',
      HINT_COOKIE: 'maybe-value',
      INTERFACE_REVISION: 'next-value',
      TRUSTED_PROXIES: '10.0.0.0/8, proxy-value.internal',
      PORT: '99999',
      LOG_LEVEL: 'loud-value',
    };
    const problems = problemsOf(wrong);
    expect(problems.map((problem) => problem.split(' ', 1)[0]).sort()).toEqual(Object.keys(wrong).sort());
    const text = new ConfigError(problems).message;
    expect(text).not.toMatch(/value|c2hvcnQ|99999|-5|1\.5|\{"POST \/v1\/auth\/login":-1/);
    expect(text).toContain('SECRET_KEY must be base64 of at least 32 random bytes');
  });

  it('configures Google and GitHub from their client credentials, with optional addresses', () => {
    const clients = { ...google, ...github };
    expect(parseConfig({ ...deployed, ...clients })).toMatchObject({
      google: { issuer: 'https://accounts.google.com', clientId: 'g', clientSecret: 's', name: 'Google' },
      github: {
        baseUrl: 'https://github.com',
        apiUrl: 'https://api.github.com',
        clientId: 'h',
        name: 'GitHub',
      },
    });
    const elsewhere = { GOOGLE_ISSUER: 'http://127.0.0.1:9', GITHUB_BASE_URL: 'https://git.example.com/' };
    expect(parseConfig({ ...least, ...clients, ...elsewhere })).toMatchObject({
      google: { issuer: 'http://127.0.0.1:9' },
      github: { baseUrl: 'https://git.example.com', apiUrl: 'https://git.example.com/api/v3' },
    });
  });

  it('rejects missing, short and example secrets [D-20]', () => {
    for (const key of [
      undefined,
      'short',
      'A'.repeat(43),
      `${'A'.repeat(43)}=`,
      'A'.repeat(42),
      '%'.repeat(50),
    ]) {
      expect(named({ ...deployed, SECRET_KEY: key }), key).toEqual(['SECRET_KEY']);
    }
    expect(named({ ...deployed, SECRET_KEY_PREVIOUS: 'A'.repeat(43) })).toEqual(['SECRET_KEY_PREVIOUS']);
    const unpadded = testSecretKey.replace(/=+$/, '');
    expect(parseConfig({ SECRET_KEY: unpadded }).secretKeys).toEqual(parseConfig(least).secretKeys);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['BASE_URL with a path', { BASE_URL: 'https://id.example.com/auth' }, ['BASE_URL']],
    ['BASE_URL with a query', { BASE_URL: 'https://id.example.com/?x' }, ['BASE_URL']],
    ['plain http on loopback', { BASE_URL: 'http://localhost:8787' }, ['BASE_URL']],
    ['plain http elsewhere', { BASE_URL: 'http://id.example.com' }, ['BASE_URL']],
    ['no client', { CLIENT_SUCCESS_URL: '' }, ['CLIENT_SUCCESS_URL']],
    ['a client on http', { CLIENT_SUCCESS_URL: 'http://localhost:3000/' }, ['CLIENT_SUCCESS_URL']],
    ['an origin on http', { ALLOWED_ORIGINS: 'http://localhost:3000' }, ['ALLOWED_ORIGINS']],
    ['an origin pattern', { ALLOWED_ORIGINS: 'https://app.example.com/*' }, ['ALLOWED_ORIGINS']],
    ['any origin', { ALLOWED_ORIGINS: '*' }, ['ALLOWED_ORIGINS']],
    ['the null origin', { ALLOWED_ORIGINS: 'null' }, ['ALLOWED_ORIGINS']],
    ['no limits', { RATE_LIMITS: 'off' }, ['RATE_LIMITS']],
    ['limits that are not numbers', { RATE_LIMITS: '{"*":"many"}' }, ['RATE_LIMITS']],
    ['a provider on http', { IDP_ISSUER: 'http://localhost:9000' }, ['IDP_ISSUER']],
    ['Google on http', { GOOGLE_ISSUER: 'http://localhost:9', ...google }, ['GOOGLE_ISSUER']],
    ['GitHub on http', { GITHUB_BASE_URL: 'http://localhost:9', ...github }, ['GITHUB_BASE_URL']],
    ['Google without a secret', { GOOGLE_CLIENT_ID: 'g' }, ['GOOGLE_CLIENT_SECRET']],
    ['Google without an id', { GOOGLE_CLIENT_SECRET: 's' }, ['GOOGLE_CLIENT_ID']],
    ['GitHub without a secret', { GITHUB_CLIENT_ID: 'h' }, ['GITHUB_CLIENT_SECRET']],
    [
      'an address of GitHub without a client',
      { GITHUB_BASE_URL: 'https://git.example.com' },
      ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    ],
    ['passkeys for an unrelated domain', { PASSKEY_RP_ID: 'example.org' }, ['PASSKEY_RP_ID']],
    ['passkeys for a top-level domain', { PASSKEY_RP_ID: 'com' }, ['PASSKEY_RP_ID']],
    [
      'passkeys for a public suffix',
      { BASE_URL: 'https://me.pages.dev', PASSKEY_RP_ID: 'pages.dev' },
      ['PASSKEY_RP_ID'],
    ],
    [
      'a refresh token on a domain that is not set',
      { REFRESH_COOKIE_SCOPE: 'domain' },
      ['REFRESH_COOKIE_SCOPE'],
    ],
    ['a refresh token anywhere', { REFRESH_COOKIE_SCOPE: 'everywhere' }, ['REFRESH_COOKIE_SCOPE']],
    ['an alarm to nobody', { ALARM_MAIL: 'Money <money@example.com>' }, ['ALARM_MAIL']],
    ['an unsigned alarm', { ALARM_WEBHOOK_URL: 'https://ops.example.com' }, ['ALARM_WEBHOOK_SECRET']],
    [
      'an alarm without an address',
      { ALARM_WEBHOOK_SECRET: `whsec_${'A'.repeat(44)}` },
      ['ALARM_WEBHOOK_URL'],
    ],
    [
      'a weak alarm',
      { ALARM_WEBHOOK_URL: 'http://ops.example.com', ALARM_WEBHOOK_SECRET: 'whsec_short' },
      ['ALARM_WEBHOOK_SECRET', 'ALARM_WEBHOOK_URL'],
    ],
    ['an unrelated cookie domain', { COOKIE_DOMAIN: 'example.org' }, ['COOKIE_DOMAIN']],
    ['a cookie domain below the host', { COOKIE_DOMAIN: 'a.id.example.com' }, ['COOKIE_DOMAIN']],
    ['a cookie domain with only the same ending', { COOKIE_DOMAIN: 'ample.com' }, ['COOKIE_DOMAIN']],
    ['a top-level cookie domain', { COOKIE_DOMAIN: 'com' }, ['COOKIE_DOMAIN']],
    ['a BASE_URL with a user and a password', { BASE_URL: 'https://a:b@id.example.com' }, ['BASE_URL']],
    ['plain http in capitals', { CLIENT_SUCCESS_URL: 'HTTP://localhost/' }, ['CLIENT_SUCCESS_URL']],
    ['a public suffix', { BASE_URL: 'https://id.example.co.id', COOKIE_DOMAIN: 'co.id' }, ['COOKIE_DOMAIN']],
    [
      'a shared hosting domain',
      { BASE_URL: 'https://me.pages.dev', COOKIE_DOMAIN: 'pages.dev' },
      ['COOKIE_DOMAIN'],
    ],
    ['no ENVIRONMENT', { ENVIRONMENT: '' }, ['ENVIRONMENT']],
    ['two problems', { RATE_LIMITS: 'off', CLIENT_SUCCESS_URL: '' }, ['CLIENT_SUCCESS_URL', 'RATE_LIMITS']],
  ])('rejects %s in production [D-20]', (_, variables, expected) => {
    expect(named({ ...deployed, ...variables }).sort()).toEqual(expected);
  });

  it('accepts the cookies’ parent domain in upper or lower case', () => {
    for (const domain of ['example.com', 'id.example.com', 'Example.COM']) {
      expect(parseConfig({ ...deployed, COOKIE_DOMAIN: domain }).COOKIE_DOMAIN).toBe(domain.toLowerCase());
    }
  });

  it('never falls back to the sandbox in production, and requires a complete provider', () => {
    expect(parseConfig(deployed).idp).toBeNull();
    const whole = {
      IDP_ISSUER: 'https://idp.example.net',
      IDP_CLIENT_ID: 'peridot',
      IDP_CLIENT_SECRET: 'secret',
    };
    expect(parseConfig({ ...deployed, ...whole }).idp).toMatchObject({
      issuer: 'https://idp.example.net',
      name: 'idp.example.net',
    });
    for (const name of Object.keys(whole))
      expect(parseConfig({ ...deployed, ...whole, [name]: '' }).idp, name).toBeNull();
  });
});

describe('a service with invalid settings', () => {
  it('exits with code 1 and lists each variable without its value [D-20]', async () => {
    const { code, output } = await runBun({
      ...deployed,
      SECRET_KEY: 'dG9vLXNob3J0LXZhbHVl',
      CLIENT_SUCCESS_URL: 'http://client-value.example.com',
      COOKIE_DOMAIN: 'other-value.example',
      RATE_LIMITS: 'off',
      IDP_NAME: 'n'.repeat(41),
      PORT: '99999',
    });
    expect(code).toBe(1);
    // Zod's text for a check without its own text, which does not describe the problem.
    expect(output).not.toContain('Invalid input');
    for (const name of ['SECRET_KEY', 'CLIENT_SUCCESS_URL', 'COOKIE_DOMAIN', 'RATE_LIMITS', 'PORT'])
      expect(output).toMatch(new RegExp(`^ *${name} must`, 'm'));
    expect(output).not.toMatch(/value|dG9v|at .*\.ts/);
  });

  it('does not generate a secret in production [D-20]', async () => {
    const { code, output } = await runBun({ ...production });
    expect(code).toBe(1);
    expect(output).toContain('SECRET_KEY must be set');
  });

  it('reports with the others that production needs the paths of its files', async () => {
    const { code, output } = await runBun({ ...deployed, DATABASE_URL: '', KV_URL: '', RATE_LIMITS: 'off' });
    expect(code).toBe(1);
    for (const name of ['DATABASE_URL must be set', 'KV_URL must be set', 'RATE_LIMITS must'])
      expect(output).toMatch(new RegExp(`^ *${name}`, 'm'));
  });

  it('does not start in development if other machines can reach it, on Bun or in workerd', async () => {
    const { code, output } = await runBun({ ...least, HOST: '0.0.0.0' });
    expect([code, output]).toEqual([1, expect.stringMatching(/^ *HOST must be a loopback address/m)]);
    const script = join(import.meta.dirname, '../scripts/dev.ts');
    const dev = spawnSync(process.execPath, [script, '--ip', '0.0.0.0'], { encoding: 'utf8' });
    expect([dev.status, dev.stderr]).toEqual([
      1,
      expect.stringMatching(/^ *HOST must be a loopback address/m),
    ]);
  });
});

it('a number or boolean in wrangler.toml is read as text', () => {
  expect(parseConfig({ ...least, ACCESS_TTL_SECONDS: 300 }).ACCESS_TTL_SECONDS).toBe(300);
  expect(() => parseConfig({ ...least, HINT_COOKIE: true })).toThrow('HINT_COOKIE');
});

describe('an unknown variable', () => {
  it('is reported if it resembles a setting and ignored otherwise', () => {
    const names = ['ALOWED_ORIGINS', 'ALLOWED_ORIGIN', 'COOKIE_DOMIAN', 'TRUSTED_PROXYS'];
    const others = [
      'HOSTNAME',
      'POST',
      'HOME',
      'PATH',
      'GITHUB_BASE_REF',
      'GITHUB_ACTIONS',
      'DB',
      'ALLOWED_ORIGINS',
    ];
    const given = Object.fromEntries([...names, ...others].map((name) => [name, 'secret value']));
    expect(misspeltSettings(given)).toEqual([
      'ALOWED_ORIGINS is not a setting; did you mean ALLOWED_ORIGINS?',
      'ALLOWED_ORIGIN is not a setting; did you mean ALLOWED_ORIGINS?',
      'COOKIE_DOMIAN is not a setting; did you mean COOKIE_DOMAIN?',
      'TRUSTED_PROXYS is not a setting; did you mean TRUSTED_PROXIES?',
    ]);
  });
});
