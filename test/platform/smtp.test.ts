import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SmtpServer } from '../../src/config/mail-settings.ts';
import type { OutgoingMail } from '../../src/deps.ts';
import { makeCertificate } from '../support/certificate.ts';
import { endsWithUs } from '../support/ends-with-us.ts';
import { closeSmtp, createSmtpServer, listen, smtpLogin } from '../support/mail-servers.ts';
import { freePort } from '../support/processes.ts';
import type { SmtpOrder } from '../support/smtp-bun.ts';

const from = { name: 'Peridot', address: 'no-reply@example.com' };
const mail: OutgoingMail = {
  id: 'mai_1',
  to: 'ada@example.com',
  subject: 'Kode Anda – ünïcode 🔑',
  text: 'line one\n.\n..two dots\n. one dot\ntrailing blank \n=C3 equals\nünïcode 🔑\n',
  html: `<p>${'long '.repeat(400)}</p>\n.\n<p>ü</p>\n`,
};

const root = join(import.meta.dirname, '../..');
const trusted = makeCertificate();
const unknown = makeCertificate();
let folder: string;
let bun: ChildProcess;
let bunAddress: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-smtp-'));
  const file = join(folder, 'ca.pem');
  await writeFile(file, trusted.cert);
  const port = await freePort();
  bunAddress = `http://127.0.0.1:${port}/`;
  bun = endsWithUs(
    spawn(join(root, 'node_modules/.bin/bun'), [join(root, 'test/support/smtp-bun.ts')], {
      env: { PATH: process.env['PATH'] ?? '', PORT: String(port), NODE_EXTRA_CA_CERTS: file },
      stdio: 'inherit',
    }),
  );
  const isUp = () =>
    fetch(bunAddress).then(
      ({ ok }) => ok,
      () => false,
    );
  while (bun.exitCode === null && !(await isUp())) await sleep(25);
}, 60_000);

afterAll(async () => {
  const ended = new Promise((resolve) => bun.once('exit', resolve));
  bun.kill();
  await ended;
  await rm(folder, { recursive: true, force: true });
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Sends from Bun, and throws any failure. */
async function send(server: SmtpServer, message: OutgoingMail): Promise<void> {
  const order: SmtpOrder = { server, from, mail: message };
  const answer = await fetch(bunAddress, { method: 'POST', body: JSON.stringify(order) });
  const text = await answer.text();
  if (answer.status !== 204) throw new Error(text);
}

/** A real SMTP server; returns the accepted emails. */
async function openServer(options: Parameters<typeof createSmtpServer>[0]) {
  const server = createSmtpServer(options);
  const port = await listen(server.server);
  closing.push(() => closeSmtp(server));
  return { port, taken: server.taken };
}

/** A server that sends the given lines and stores what it receives. */
async function openScripted(replies: (string | null)[]): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = [];
  const server: Server = createServer((socket) => {
    const waiting = [...replies];
    const next = () => {
      const reply = waiting.shift();
      if (reply === null) socket.end();
      else if (reply !== undefined) socket.write(reply);
    };
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard.push(bytes.toString());
      next();
    });
    next();
  });
  const port = await listen(server);
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return { port, heard };
}

const login = { user: smtpLogin.user, password: smtpLogin.password };
const at = (port: number, tls: SmtpServer['tls']): SmtpServer => ({ host: '127.0.0.1', port, tls, login });

describe('SMTP on Bun', () => {
  it('delivers an email byte for byte, whatever its lines start with', async () => {
    const { port, taken } = await openServer({ hideSTARTTLS: true, allowInsecureAuth: true });
    await send(at(port, 'none'), mail);
    expect(taken).toHaveLength(1);
    expect(taken[0]).toMatchObject({
      from: from.address,
      to: mail.to,
      subject: mail.subject,
      user: login.user,
    });
    expect(taken[0]?.text.trimEnd()).toBe(mail.text.trimEnd());
    expect(taken[0]?.html.trimEnd()).toBe(mail.html.trimEnd());
    expect(taken[0]?.headers['from']).toMatch(/^"?Peridot"? <no-reply@example.com>$/);
    for (const line of taken[0]?.raw.split('\r\n') ?? []) expect(line).toMatch(/^[\x20-\x7e]{0,78}$/);
  });

  it('uses implicit TLS or STARTTLS with a server that has a valid certificate', async () => {
    for (const tls of ['implicit', 'starttls'] as const) {
      const { port, taken } = await openServer({ ...trusted, secure: tls === 'implicit' });
      await send(at(port, tls), mail);
      expect(taken, tls).toHaveLength(1);
      expect(taken[0], tls).toMatchObject({ secure: true, user: login.user });
    }
  });

  it('sends nothing to a server with an unknown certificate [S-11]', async () => {
    for (const tls of ['implicit', 'starttls'] as const) {
      const { port, taken } = await openServer({ ...unknown, secure: tls === 'implicit' });
      await expect(send(at(port, tls), mail), tls).rejects.toThrow();
      expect(taken, tls).toEqual([]);
    }
  });

  it('sends no password or mail to a server without the required STARTTLS [S-11]', async () => {
    const { port, heard } = await openScripted([
      '220 relay\r\n',
      '250-relay\r\n250 AUTH PLAIN LOGIN\r\n',
      '502 no\r\n',
      null,
    ]);
    await expect(send(at(port, 'starttls'), mail)).rejects.toThrow();
    expect(heard.join('')).not.toMatch(/AUTH|MAIL|RCPT|DATA/);
  });

  it('logs in with LOGIN if PLAIN is not offered, and fails with a wrong password', async () => {
    const options = { hideSTARTTLS: true, allowInsecureAuth: true, authMethods: ['LOGIN'] };
    const { port, taken } = await openServer(options);
    await send(at(port, 'none'), mail);
    expect(taken[0]?.user).toBe(login.user);
    const wrong = { ...at(port, 'none'), login: { ...login, password: 'wrong' } };
    await expect(send(wrong, mail)).rejects.toThrow(/535/);
    expect(taken).toHaveLength(1);
  });

  it('needs no login if the server requires none', async () => {
    const { port, taken } = await openServer({ hideSTARTTLS: true, authOptional: true });
    await send({ ...at(port, 'none'), login: null }, mail);
    expect(taken[0]?.user).toBeNull();
  });

  it('fails if the server hangs up at any point or sends invalid replies', async () => {
    const greeting = '220 relay\r\n';
    const hello = '250-relay\r\n250 AUTH PLAIN LOGIN\r\n';
    const replies = [greeting, hello, '235 ok\r\n', '250 ok\r\n', '250 ok\r\n', '354 go\r\n'];
    for (let count = 0; count <= replies.length; count += 1) {
      const { port } = await openScripted([...replies.slice(0, count), null]);
      await expect(send(at(port, 'none'), mail), `after ${count}`).rejects.toThrow();
    }
    for (const nonsense of ['HTTP/1.1 400 Bad Request\r\n\r\n', '999 x\r\n']) {
      const { port } = await openScripted([nonsense, null]);
      await expect(send(at(port, 'none'), mail), nonsense).rejects.toThrow();
    }
    const port = await freePort();
    await expect(send(at(port, 'none'), mail)).rejects.toThrow();
  });

  it('prevents injection into headers and commands', async () => {
    const { port, taken } = await openServer({ hideSTARTTLS: true, allowInsecureAuth: true });
    const subject = 'Hello\r\nBcc: eve@example.com\r\n\r\nbody\u2028x';
    await send(at(port, 'none'), { ...mail, subject });
    expect(taken).toHaveLength(1);
    expect(Object.keys(taken[0]?.headers ?? {})).not.toContain('bcc');
    expect(taken[0]?.to).toBe(mail.to);
    expect(taken[0]?.text.trimEnd()).toBe(mail.text.trimEnd());
    for (const to of [
      'ada@example.com>\r\nRCPT TO:<eve@example.com',
      'ada@example.com\nDATA',
      '<eve@example.com>,a@b.c',
    ]) {
      await send(at(port, 'none'), { ...mail, to }).catch(() => {});
    }
    const recipients = taken.slice(1).map(({ to }) => to);
    for (const recipient of recipients) expect(recipient).not.toContain('eve');
  });
});
