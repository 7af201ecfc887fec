import { describe, expect, it } from 'vitest';
import type { OutgoingMail } from '../../src/deps.ts';
import { inTime } from '../../src/lib/in-time.ts';
import { formatMessage } from '../../src/platform/mail-message.ts';
import { sendByResend } from '../../src/platform/mail-resend.ts';
import { parseMessage } from '../support/mime.ts';

const mail: OutgoingMail = {
  id: 'mai_1.2',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'text\n',
  html: '<p>html</p>\n',
};
const from = { name: 'Peridot', address: 'no-reply@example.com' };
const settings = { transport: 'resend', from, apiKey: 're_1' } as const;

describe('resend', () => {
  it('sends to the configured address, follows no redirect and names the mail', async () => {
    for (const baseUrl of ['https://relay.example/v2', 'https://relay.example/v2/']) {
      const asked: Request[] = [];
      const answer = async (request: Request) => {
        asked.push(request);
        return Response.json({ id: 'x' });
      };
      await sendByResend(answer, { ...settings, baseUrl }, mail);
      expect(asked.map(({ url, redirect }) => [url, redirect])).toEqual([
        ['https://relay.example/v2/emails', 'manual'],
      ]);
      expect(asked[0]?.headers.get('Idempotency-Key')).toBe('mai_1.2');
    }
  });

  it('fails with part of what the service said, and never with the key', async () => {
    const answers = [
      () => new Response('x'.repeat(100_000), { status: 403 }),
      () => new Response(null, { status: 302, headers: { Location: 'http://10.0.0.1/' } }),
      () => new Response(null, { status: 500 }),
    ];
    for (const answer of answers) {
      const failure = await sendByResend(
        async () => answer(),
        { ...settings, baseUrl: 'https://relay.example' },
        mail,
      ).then(
        () => 'sent',
        (error: Error) => error.message,
      );
      expect(failure).toMatch(/^the mail service answered (403|302|500): /);
      expect(failure.length).toBeLessThan(400);
      expect(failure).not.toContain('re_1');
    }
  });
});

describe('a message', () => {
  const headersOf = (message: string) => message.slice(0, message.indexOf('\r\n\r\n')).split('\r\n');

  it('has one line for each header, whatever the subject and the name are', () => {
    const subjects = [
      'plain',
      'a\r\nBcc: eve@example.com',
      'a\nb\rc\u2028d',
      `${'ünïcode '.repeat(30)}x`,
      '🔑'.repeat(40),
      'x'.repeat(2000),
    ];
    for (const subject of subjects) {
      const message = formatMessage({ ...from, name: 'Ñandú' }, { ...mail, subject }, 0);
      const names = headersOf(message)
        .filter((line) => !line.startsWith(' '))
        .map((line) => line.split(':')[0]);
      expect(names, subject).toEqual([
        ...['From', 'To', 'Subject', 'Date', 'Message-ID', 'Auto-Submitted', 'X-Auto-Response-Suppress'],
        ...['MIME-Version', 'Content-Type'],
      ]);
      for (const line of message.split('\r\n')) expect(line).toMatch(/^[\x20-\x7e]{0,998}$/);
      expect(parseMessage(message).subject).toBe(subject.replace(/[\r\n\u2028]+/g, ' ').trim());
    }
  });

  it('names its time, its sender and, the same for each try, itself', () => {
    const headers = headersOf(formatMessage(from, mail, Date.UTC(2026, 10, 21, 11, 9)));
    expect(headers).toContain('Date: Sat, 21 Nov 2026 11:09:00 +0000');
    expect(headers).toContain('From: "Peridot" <no-reply@example.com>');
    expect(headers).toContain('Message-ID: <mai_1.2@example.com>');
    expect(headersOf(formatMessage({ ...from, name: '' }, mail, 0))[0]).toBe('From: no-reply@example.com');
  });

  it('keeps every character of its parts in lines of 76', () => {
    const texts = [
      '',
      ' ',
      'a=b',
      'trailing \t',
      `${'ü'.repeat(200)}`,
      `${'x'.repeat(76)}\n${'y'.repeat(75)} `,
    ];
    for (const text of texts) {
      const message = formatMessage(from, { ...mail, text }, 0);
      expect(parseMessage(message).text, JSON.stringify(text)).toBe(text);
      for (const line of message.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
    }
  });
});

describe('a deadline', () => {
  it('ends the wait, not the work, and passes what was in time', async () => {
    await expect(inTime(new Promise(() => {}), 5, 'the test')).rejects.toThrow('the test took too long');
    expect(await inTime(Promise.resolve(7), 5, 'the test')).toBe(7);
    await expect(inTime(Promise.reject(new Error('own')), 5, 'the test')).rejects.toThrow('own');
  });
});
