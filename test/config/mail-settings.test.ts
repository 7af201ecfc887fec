import { describe, expect, it } from 'vitest';
import { parseSender, parseSmtpUrl } from '../../src/config/mail-settings.ts';

describe('parseSender', () => {
  it('reads an address with or without a name', () => {
    const address = 'no-reply@example.com';
    const texts: Record<string, string> = {
      'no-reply@example.com': '',
      '  No-Reply@EXAMPLE.com ': '',
      '<no-reply@example.com>': '',
      'Peridot <no-reply@example.com>': 'Peridot',
      '"Peridot, Inc." <no-reply@example.com>': 'Peridot, Inc.',
      'Ñandú 🔑 <no-reply@example.com>': 'Ñandú 🔑',
    };
    for (const [text, name] of Object.entries(texts))
      expect(parseSender(text), text).toEqual({ name, address });
    expect(parseSender('a@bücher.example')?.address).toBe('a@xn--bcher-kva.example');
  });

  it('rejects an invalid address, and a name that could break out of its header', () => {
    const texts = [
      '',
      'Peridot',
      'Peridot <>',
      'Peridot <no-reply>',
      'a@example.com, b@example.com',
      'A <a@example.com> <b@example.com>',
      'A\r\nBcc: eve <a@example.com>',
      'A" <eve@example.com>, "B <a@example.com>',
      'A\\ <a@example.com>',
      `${'n'.repeat(65)} <a@example.com>`,
    ];
    for (const text of texts) expect(parseSender(text), text).toBeNull();
  });
});

describe('parseSmtpUrl', () => {
  it('selects implicit TLS, STARTTLS, or no encryption on this machine [S-11]', () => {
    expect(parseSmtpUrl('smtps://user:p%40ss%3A@mail.example.com')).toEqual({
      host: 'mail.example.com',
      port: 465,
      tls: 'implicit',
      login: { user: 'user', password: 'p@ss:' },
    });
    expect(parseSmtpUrl('smtp://me%40example.com:x@Mail.Example.com:2525/')).toEqual({
      host: 'mail.example.com',
      port: 2525,
      tls: 'starttls',
      login: { user: 'me@example.com', password: 'x' },
    });
    expect(parseSmtpUrl('smtp://mail.example.com')).toMatchObject({ port: 587, login: null });
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])
      expect(parseSmtpUrl(`smtp://${host}:25`)?.tls, host).toBe('none');
    expect(parseSmtpUrl('smtp://[::1]:25')?.host).toBe('::1');
    for (const host of ['localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', '[::2]'])
      expect(parseSmtpUrl(`smtp://${host}`)?.tls, host).toBe('starttls');
    expect(parseSmtpUrl('smtps://localhost')?.tls).toBe('implicit');
  });

  it('rejects everything else', () => {
    const texts = [
      '',
      'mail.example.com:587',
      'http://mail.example.com',
      'smtp://',
      'smtp://:password@mail.example.com',
      'smtp://a:%ff@mail.example.com',
      'smtp://a:b%0d%0aMAIL@mail.example.com',
      'smtp://mail.example.com/path',
      'smtp://mail.example.com?tls=off',
      'smtp://mail.example.com:99999',
    ];
    for (const text of texts) expect(parseSmtpUrl(text), text).toBeNull();
  });
});
