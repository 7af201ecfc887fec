import { describe, expect, it } from 'vitest';
import type { OutgoingMail } from '../../src/deps.ts';
import { withTimeout } from '../../src/lib/with-timeout.ts';
import { sendByResend } from '../../src/platform/mail/mail-resend.ts';

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
  it('sends to the configured address, does not follow redirects, and passes the email’s idempotency key', async () => {
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

  it('fails with part of the service’s message but never with the key', async () => {
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

describe('a deadline', () => {
  it('ends the wait but not the work, and returns a timely result', async () => {
    await expect(withTimeout(new Promise(() => {}), 5, 'the test')).rejects.toThrow('the test took too long');
    expect(await withTimeout(Promise.resolve(7), 5, 'the test')).toBe(7);
    await expect(withTimeout(Promise.reject(new Error('own')), 5, 'the test')).rejects.toThrow('own');
  });
});
