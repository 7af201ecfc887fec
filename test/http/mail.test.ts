import { describe, expect, inject, it } from 'vitest';
import type { MessageKind } from '../../src/features/mail/mail.ts';
import { planFaults, takenFor } from '../support/mail-driver.ts';
import { runMailJob, writeMessage, writeNotice } from '../support/mail-writer.ts';
import { mailsTo } from '../support/mailbox.ts';
import { newMember } from '../support/people.ts';
import { startService, useService } from '../support/service.ts';
import type { Target } from '../support/target.ts';

const servers = inject('mailServers');
let addresses = 0;
/** An address that no other test uses, because several targets share the servers. */
function freshAddress(): string {
  addresses += 1;
  return `reader.${addresses}.${Math.floor(performance.timeOrigin + performance.now() * 1000)}@example.com`;
}

/** Returns whether the text occurs anywhere in the stored files. */
async function isStored(target: Target, text: string): Promise<boolean> {
  const files = await target.files();
  return files.some((file) => Buffer.from(file).includes(text));
}

interface Row {
  id: string;
  sealed_params: string;
  next_at: number | null;
  sent_at: number | null;
  tries: number;
}

function rowsFor(target: Target, recipient: string): Promise<Row[]> {
  return target.rows<Row>('SELECT * FROM mails WHERE recipient = ? ORDER BY created_at, id', [recipient]);
}

describe('queued email', () => {
  const target = useService();

  it('is limited to five an hour per address, even for 20 concurrent requests [S-12]', async () => {
    const [to, other] = [freshAddress(), freshAddress()];
    const kinds: MessageKind[] = [
      'register_code',
      'register_known',
      'link_code',
      'link_known',
      'reset_unknown',
    ];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        writeMessage(target, { recipient: to, kind: kinds[index % 5] ?? 'reset_code' }),
      ),
    );
    expect(await rowsFor(target, to)).toHaveLength(5);
    await writeMessage(target, { recipient: other });
    expect(await rowsFor(target, other)).toHaveLength(1);
    await target.advance(1800);
    await runMailJob(target);
    await writeMessage(target, { recipient: to });
    expect(await rowsFor(target, to)).toHaveLength(5);
    await target.advance(1801);
    await writeMessage(target, { recipient: to });
    const stored = await rowsFor(target, to);
    expect(stored.at(-1)?.next_at).not.toBeNull();
  });

  it('notifies only an identity’s verified addresses, in the language of its profile', async () => {
    const [ada, ben] = [await newMember(target), await newMember(target)];
    const second = freshAddress();
    await target.rows('INSERT INTO emails (email, handle, verified_at) VALUES (?, ?, 1)', [
      second,
      ada.handle,
    ]);
    await target.rows(`UPDATE profiles SET locale = 'id-ID' WHERE handle = ?`, [ada.handle]);
    await writeNotice(target, {
      handle: ada.handle,
      params: { provider: 'google', device: 'Chrome on Windows' },
    });
    await writeNotice(target, { handle: ada.handle, when: false });
    for (const address of [ada.claims.email, second]) {
      const [mail, ...more] = await mailsTo(target, address);
      expect(more).toEqual([]);
      expect(mail).toMatchObject({ kind: 'credential_linked', locale: 'id', sentAt: null });
      expect(mail?.content?.text).toContain('Google');
      expect(mail?.content?.text).toContain('Chrome di Windows');
      expect(mail?.content?.links).toEqual([`${target.origin}/account`]);
    }
    expect(await rowsFor(target, ben.claims.email)).toEqual([]);
  });

  it('never lets requested codes displace a notice to the owner, and limits notices too [S-12]', async () => {
    const { handle, claims } = await newMember(target);
    for (let count = 0; count < 7; count += 1) await writeMessage(target, { recipient: claims.email });
    for (let count = 0; count < 25; count += 1) await writeNotice(target, { handle });
    await writeMessage(target, { recipient: claims.email });
    const kinds = (await mailsTo(target, claims.email)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'reset_code')).toHaveLength(5);
    expect(kinds.filter((kind) => kind === 'credential_linked')).toHaveLength(20);
  });

  it('never lets notices of apps displace a notice about the account [S-12]', async () => {
    const { handle, claims } = await newMember(target);
    for (const kind of ['app_changed', 'app_allowed'] as const)
      for (let count = 0; count < 25; count += 1) await writeNotice(target, { handle, kind });
    await writeNotice(target, { handle, kind: 'password_changed' });
    const kinds = (await mailsTo(target, claims.email)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'app_changed')).toHaveLength(20);
    expect(kinds).toContain('password_changed');
  });

  it('can be read in the mailbox until it expires, but never from the stored files [S-10]', async () => {
    const to = freshAddress();
    await writeMessage(target, { recipient: to, params: { code: 'code-731946', minutes: '10' } });
    expect(await runMailJob(target)).toMatchObject({ failed: 0 });
    const [mail] = await mailsTo(target, to);
    expect(mail?.sentAt).not.toBeNull();
    expect(mail?.content).toMatchObject({ code: 'code-731946', links: [] });
    expect(mail?.content?.text).toContain('10 minutes');
    expect(await isStored(target, to)).toBe(true);
    expect(await isStored(target, 'code-731946')).toBe(false);
    await target.advance(601);
    await runMailJob(target);
    expect((await mailsTo(target, to))[0]?.content).toBeNull();
    expect((await rowsFor(target, to))[0]?.sealed_params).toBe('');
    await target.advance(3601);
    await runMailJob(target);
    expect(await rowsFor(target, to)).toEqual([]);
  });
});

describe('outgoing email', () => {
  const target = useService({
    MAIL_TRANSPORT: 'resend',
    MAIL_FROM: 'Peridot <no-reply@example.com>',
    RESEND_API_KEY: 're_test_key',
    RESEND_BASE_URL: servers.resend,
  });

  it('is sent once, under its own idempotency key, and its text is deleted [S-10]', async () => {
    const to = freshAddress();
    await writeMessage(target, { recipient: to, params: { code: 'code-555121', minutes: '10' } });
    const [{ id = '' } = {}] = await rowsFor(target, to);
    expect(await runMailJob(target)).toMatchObject({ sent: 1, failed: 0 });
    const [mail, ...more] = await takenFor(servers, to);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      from: '"Peridot" <no-reply@example.com>',
      subject: expect.stringMatching(/^\S+ is your code for a new Peridot password$/),
      headers: { 'Idempotency-Key': id, 'Auto-Submitted': 'auto-generated' },
    });
    expect(mail?.text).toContain('code-555121');
    expect(mail?.html).toContain('code-555121');
    expect(await rowsFor(target, to)).toMatchObject([{ next_at: null, sealed_params: '', tries: 1 }]);
    expect(await runMailJob(target)).toMatchObject({ sent: 0 });
    expect(await takenFor(servers, to)).toHaveLength(1);
    expect((await mailsTo(target, to))[0]?.content).toBeNull();
  });

  it('is retried with increasing delays, and arrives only once even if responses are lost', async () => {
    const to = freshAddress();
    await planFaults(servers, to, [500, 'drop', 'drop after']);
    await writeMessage(target, { recipient: to, kind: 'reset_unknown', params: {} });
    expect(await runMailJob(target)).toMatchObject({ sent: 0, failed: 1 });
    expect(await runMailJob(target)).toMatchObject({ sent: 0, failed: 0 });
    for (const seconds of [61, 121, 241]) {
      await target.advance(seconds - 10);
      expect(await runMailJob(target)).toMatchObject({ sent: 0, failed: 0 });
      await target.advance(10);
      expect(await runMailJob(target)).toMatchObject({ failed: seconds === 241 ? 0 : 1 });
    }
    expect(await takenFor(servers, to)).toHaveLength(1);
    expect(await rowsFor(target, to)).toMatchObject([{ tries: 4, next_at: null, sealed_params: '' }]);
  });

  it('is dropped with its text on expiry [S-10]', async () => {
    const to = freshAddress();
    await planFaults(servers, to, [500]);
    await writeMessage(target, { recipient: to });
    expect(await runMailJob(target)).toMatchObject({ sent: 0, failed: 1 });
    await target.advance(601);
    expect(await runMailJob(target)).toEqual({ sent: 0, failed: 0, givenUp: 1 });
    expect(await rowsFor(target, to)).toMatchObject([{ sent_at: null, next_at: null, sealed_params: '' }]);
    expect(await takenFor(servers, to)).toEqual([]);
  });

  it('waits a minute for a sender that may still be working, and is then sent by another sender', async () => {
    const to = freshAddress();
    await writeMessage(target, { recipient: to });
    await target.rows('UPDATE mails SET tries = 1, next_at = ? WHERE recipient = ?', [
      target.now() + 60_000,
      to,
    ]);
    await runMailJob(target);
    expect(await takenFor(servers, to)).toEqual([]);
    await target.advance(61);
    await runMailJob(target);
    expect(await takenFor(servers, to)).toHaveLength(1);
  });

  it('is sent in batches of a hundred, earliest expiry first', async () => {
    const codes = [freshAddress(), freshAddress()];
    const { handle } = await newMember(target);
    await target.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 110)
        INSERT INTO emails (email, handle, verified_at) SELECT 'many.' || i || '@example.com', ?, 1 FROM n`,
      [handle],
    );
    await writeNotice(target, { handle });
    for (const code of codes) await writeMessage(target, { recipient: code });
    expect(await runMailJob(target)).toMatchObject({ sent: 100, failed: 0 });
    for (const code of codes) expect(await takenFor(servers, code)).toHaveLength(1);
    expect(await runMailJob(target)).toMatchObject({ sent: 13, failed: 0 });
  });

  it('is logged without its address or text [D-78]', async () => {
    const to = `marked.mail.${freshAddress()}`;
    await planFaults(servers, to, [422]);
    await writeMessage(target, { recipient: to, params: { code: 'code-909090', minutes: '10' } });
    await runMailJob(target);
    await target.advance(61);
    await runMailJob(target);
    await expect.poll(() => target.log().join('\n')).toContain('mail.sent');
    const lines = target.log().join('\n');
    expect(lines).toMatch(/"event":"mail.failed".*"to":"m…@example.com".*answered 422/);
    for (const secret of ['marked.mail', 'code-909090', 're_test_key']) expect(lines).not.toContain(secret);
  });
});

const runsInWorkerd = navigator.userAgent === 'Cloudflare-Workers';

it.runIf(runsInWorkerd)(
  'a Worker refuses to start with SMTP, and its error suggests the alternative',
  async () => {
    const smtp = { MAIL_TRANSPORT: 'smtp', MAIL_FROM: 'no-reply@example.com', SMTP_URL: servers.smtp };
    await expect(startService(smtp)).rejects.toThrow(
      'MAIL_TRANSPORT must not be smtp on Workers: use resend',
    );
  },
);

describe.skipIf(runsInWorkerd)('email over SMTP', () => {
  const target = useService({
    MAIL_TRANSPORT: 'smtp',
    MAIL_FROM: 'Peridot Ñandú <no-reply@bücher.example>',
    SMTP_URL: servers.smtp,
  });

  it('arrives at a real server unchanged, after a login', async () => {
    const to = freshAddress().replace('@example.com', '@xn--bcher-kva.example');
    const kind = 'reset_code';
    await writeMessage(target, {
      recipient: to,
      kind,
      locale: 'id',
      params: { code: '402911', minutes: '10' },
    });
    expect(await runMailJob(target)).toMatchObject({ sent: 1, failed: 0 });
    const [mail] = await takenFor(servers, to);
    expect(mail).toMatchObject({
      from: 'no-reply@xn--bcher-kva.example',
      to,
      user: 'peridot@relay',
      subject: '402911 adalah kode Anda untuk kata sandi baru Peridot',
      headers: { 'auto-submitted': 'auto-generated', to },
    });
    expect(mail?.text).toContain('\n402911\n');
    expect(mail?.html).toContain('>402911</p>');
    expect(mail?.html).toMatch(/^<!doctype html>/);
    expect(mail?.html.trimEnd()).toMatch(/<\/html>$/);
    expect(mail?.headers['message-id']).toMatch(/^<mai_\w+@xn--bcher-kva.example>$/);
    // Short ASCII lines, which no relay changes.
    for (const line of mail?.raw.split('\r\n') ?? []) expect(line).toMatch(/^[\x20-\x7e\t]{0,200}$/);
  });

  it('is retried after any error from the server', async () => {
    const to = freshAddress();
    await planFaults(servers, to, [451, 550, 'drop']);
    await writeMessage(target, { recipient: to, kind: 'link_known', params: {} });
    for (const failed of [1, 1, 1, 0]) {
      expect(await runMailJob(target)).toMatchObject({ sent: 1 - failed, failed });
      await target.advance(301);
    }
    expect(await takenFor(servers, to)).toHaveLength(1);
    expect(target.log().join('\n')).not.toContain(to);
  });
});
