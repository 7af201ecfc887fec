import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { composeMail } from '../../../src/features/mail/compose.ts';
import {
  appNoticeKinds,
  grantNoticeKinds,
  type MailKind,
  messageKinds,
  noticeKinds,
  ownMessageKinds,
  paymentKinds,
  receiptKinds,
} from '../../../src/features/mail/kinds.ts';
import { mailTexts, mailWords } from '../../../src/features/mail/texts.ts';
import { testDefaults } from '../../support/target.ts';

const config = parseConfig({ ...testDefaults, IDP_NAME: 'Company <Login>' });
const kinds: readonly MailKind[] = [
  ...noticeKinds,
  ...appNoticeKinds,
  ...grantNoticeKinds,
  ...messageKinds,
  ...ownMessageKinds,
  ...paymentKinds,
  ...receiptKinds,
];
const locales = ['en', 'id'] as const;
/** 21 November 2026, 11:09 UTC. */
const at = Date.UTC(2026, 10, 21, 11, 9);
/** Notices of an action, regardless of who performed it. */
const ofItself =
  /^(recovery|webhook_disabled|app_resource_lost|desk_proposal|money_alarm|second_payment.*|wallet_debt|payment_re(?:versed|turned))$/;
const byPeople = [...noticeKinds, ...grantNoticeKinds, ...appNoticeKinds].filter(
  (kind) => !ofItself.test(kind),
);
const withoutLink: readonly MailKind[] = ['account_closed'];
const codes = kinds.filter((kind) => kind.endsWith('_code'));

/** Every possible parameter of this kind of email. */
function paramsOf(kind: MailKind): Record<string, string> {
  if (kind.endsWith('_code')) return { code: '402911', minutes: '10' };
  if ((messageKinds as readonly string[]).includes(kind)) return {};
  return {
    pid: 'ayu@pid',
    provider: 'google',
    name: 'My phone',
    app: 'app_1',
    amount: '9850',
    debt: '5000',
    device: 'Chrome on Windows',
    country: 'ID',
    maker: 'budi@pid',
    count: '3',
    cases: '2 second_payment, 1 debt',
  };
}

/** Returns the text of the HTML. */
function readable(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html
    .replace(/<(style|title)>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ');
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe.each(locales)('an email in %s', (locale) => {
  it.each(kinds)('has the same content in text and in HTML: %s', (kind) => {
    const { subject, text, html } = composeMail(config, { kind, locale, created_at: at }, paramsOf(kind));
    expect(subject).toContain('Peridot');
    expect(text).toContain('localhost:8787');
    const shown = readable(html);
    for (const paragraph of text.replace('-- \n', '').split(/\n+/).filter(Boolean)) {
      const [label = '', value = ''] = paragraph.split(/: (?=\S)/);
      const parts = shown.includes(paragraph) ? [paragraph] : [label, value];
      for (const part of parts) expect(shown).toContain(part.replace(/\s+/g, ' '));
    }
    expect(`${subject}${text}${html}`).not.toMatch(/undefined|null|\{\w+\}|\[object/);
    expect(text.split('\n').every((line) => line.length < 400)).toBe(true);
  });

  it.each(kinds)('loads no content, runs no scripts and links only to the service: %s [S-10]', (kind) => {
    const { text, html } = composeMail(config, { kind, locale, created_at: at }, paramsOf(kind));
    expect(html).not.toMatch(/<(img|script|link|iframe|object|svg|form)\b|url\(|@import|\bon\w+=/i);
    const links = [...`${text}${html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link);
    for (const link of links)
      expect(link).toMatch(/^http:\/\/localhost:8787\/(account|admin|signin|v1\/auth\/email\/forgot)$/);
    expect(html).toContain(`<html lang="${locale}">`);
    expect(html).toContain('prefers-color-scheme:dark');
  });

  it.each(codes)('shows its code once, as plain digits on a separate line, and its lifetime: %s', (kind) => {
    const { subject, text, html } = composeMail(config, { kind, locale, created_at: at }, paramsOf(kind));
    expect(text.match(/402911/g)).toHaveLength(1);
    expect(text).toContain('\n\n402911\n\n');
    expect(readable(html).match(/402911/g)).toHaveLength(1);
    expect(subject).toMatch(/^402911 /);
    expect(text).toMatch(/10 (minutes|menit)/);
    expect(text).toContain(mailWords[locale].codeSecret);
  });

  it.each(byPeople)(
    'contains the actor, the action, the time, the place and the reader’s options: %s',
    (kind) => {
      const { text } = composeMail(config, { kind, locale, created_at: at }, paramsOf(kind));
      const told = [
        'ayu@pid',
        'Google',
        'My phone',
        'Indonesia',
        ...(withoutLink.includes(kind) ? [] : ['/account']),
        locale === 'en' ? 'Chrome on Windows' : 'Chrome di Windows',
      ];
      for (const fact of told) expect(text).toContain(fact);
      expect(text).toMatch(
        locale === 'en' ? /21 November 2026 at 18:09 GMT\+7/ : /21 November 2026 pukul 18\.09 WIB/,
      );
      expect(text).toContain(locale === 'en' ? 'If this was not you' : 'Jika ini bukan Anda');
      const { text: bare } = composeMail(config, { kind, locale, created_at: at }, {});
      expect(bare).not.toMatch(/^(Account|Akun|Device|Perangkat|Country|Negara|Name|Nama|What|Apa):/m);
      expect(bare).toContain('2026');
    },
  );
});

describe('the layout of an email', () => {
  const facts = { kind: 'passkey_added', locale: 'en', created_at: at } as const;
  const lontar = parseConfig({
    ...testDefaults,
    BRAND_NAME: 'Lontar',
    BRAND_ACCENT: '#1d4ed8',
    SUPPORT_URL: 'https://lontar.example/help?a=1&b=2',
    TIME_ZONE: 'Asia/Jakarta',
  });

  it('follows the brand settings, with its colour, help and time zone', () => {
    for (const kind of kinds) {
      for (const locale of locales) {
        const { subject, text, html } = composeMail(lontar, { ...facts, kind, locale }, paramsOf(kind));
        expect(`${subject}${text}${html}`, kind).not.toMatch(/peridot|#3b7214/i);
        expect(subject, kind).toContain('Lontar');
        expect(text, kind).toContain('https://lontar.example/help?a=1&b=2\n');
        expect(readable(html), kind).toContain('https://lontar.example/help?a=1&b=2');
      }
    }
    const { html, text } = composeMail(lontar, facts, {});
    expect(html).toMatch(
      /<a class="button" href="http:\/\/localhost:8787\/account" style="[^"]*background:#1d4ed8;color:#ffffff/,
    );
    expect(text).toContain('When: 21 November 2026 at 18:09 GMT+7');
    expect(composeMail(lontar, { ...facts, locale: 'id' }, {}).text).toContain(
      'Kapan: 21 November 2026 pukul 18.09 WIB',
    );
  });

  it('includes at most one button, and none if there is no page to open', () => {
    for (const kind of kinds) {
      const { html } = composeMail(config, { ...facts, kind }, paramsOf(kind));
      const buttons = html.match(/<a /g)?.length ?? 0;
      expect([kind, buttons]).toEqual([kind, kind.endsWith('_code') || withoutLink.includes(kind) ? 0 : 1]);
    }
  });
});

describe('an email parameter', () => {
  const facts = { kind: 'passkey_added', locale: 'en', created_at: at } as const;

  it('is rendered as plain text, whatever it contains', () => {
    const { html, text } = composeMail(config, facts, {
      name: `<img src=x onerror="alert(1)">'&amp;{host}`,
      device: '<script>',
      provider: 'idp',
    });
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;amp;{host}');
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain('Company &lt;Login&gt;');
    expect(html).not.toMatch(/<(img|script)/);
    expect(text).toContain(`<img src=x onerror="alert(1)">'&amp;{host}`);
  });

  it('stays on its line and is truncated if it is too long', () => {
    const name = `a\r\nSubject: forged\n\nPay here\u2028now\u202e${'x'.repeat(200)}`;
    const { text, subject } = composeMail(config, facts, { name });
    expect(text).toContain('Name: a Subject: forged Pay here now x');
    expect(text).not.toContain('x'.repeat(60));
    expect(text).not.toMatch(/[\u2028\u202e\r]/);
    expect(subject).toBe('A passkey was added at Peridot');
  });

  it('contains only real country names', () => {
    for (const country of ['T1', 'XX', 'id', '', '<b>']) {
      expect(composeMail(config, facts, { country }).text, country).not.toContain('Country');
    }
  });
});

describe('the email texts', () => {
  it('have the same placeholders and the same link in both languages', () => {
    for (const kind of kinds) {
      const [en, id] = [mailTexts.en[kind], mailTexts.id[kind]];
      const all = (text: typeof en) => [text.subject, text.lead, ...text.advice].map(placeholders);
      expect(all(id), kind).toEqual(all(en));
      expect(id.link?.path, kind).toBe(en.link?.path);
      expect(id.subject, kind).not.toBe(en.subject);
    }
    for (const name of Object.keys(mailWords.en) as (keyof typeof mailWords.en)[]) {
      expect(placeholders(mailWords.id[name]), name).toEqual(placeholders(mailWords.en[name]));
    }
  });
});
