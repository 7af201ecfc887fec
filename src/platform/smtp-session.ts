import type { OutgoingMail } from '../deps.ts';
import { fromUtf8, utf8 } from '../lib/encoding.ts';
import type { Sender, SmtpServer } from '../lib/mail-settings.ts';

/** A connection to a mail server. */
export interface Wire {
  /** The next bytes; null at the end. */
  read(): Promise<Uint8Array | null>;
  write(bytes: Uint8Array): Promise<void>;
  /** Switches to TLS and verifies the certificate. */
  startTls(): void;
}

interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

const longestReply = 16_384;

/**
 * Sends one mail (RFC 5321). With STARTTLS in the settings, a server that does not offer it gets neither password nor
 * mail.
 * @param message from `formatMessage`
 * @throws Error unless the server accepted the mail
 */
export async function submitMail(
  wire: Wire,
  { tls, login }: SmtpServer,
  { from, to, message }: { from: Sender; to: OutgoingMail['to']; message: string },
): Promise<void> {
  const talk = talkOver(wire);
  const us = from.address.slice(from.address.lastIndexOf('@') + 1);
  await talk.expect(220, 'greeting');
  let offers = await hello(talk, us);
  if (tls === 'starttls') {
    if (!offers.includes('STARTTLS')) throw new Error('the mail server offers no STARTTLS');
    await talk.say('STARTTLS', 220, 'STARTTLS');
    // Anything after the reply was sent before TLS, perhaps by somebody in between.
    if (talk.hasMore()) throw new Error('the mail server said more before TLS began');
    wire.startTls();
    offers = await hello(talk, us);
  }
  if (login) await logIn(talk, login, offers);
  const isAscii = [from.address, to].every((address) => /^[\x21-\x7e]+$/.test(address));
  if (!isAscii && !offers.includes('SMTPUTF8'))
    throw new Error('the mail server takes ASCII addresses alone');
  await talk.say(`MAIL FROM:<${addressOf(from.address)}>${isAscii ? '' : ' SMTPUTF8'}`, 250, 'MAIL');
  await talk.say(`RCPT TO:<${addressOf(to)}>`, 250, 'RCPT');
  await talk.say('DATA', 354, 'DATA');
  // A line with a single dot would end the mail, so leading dots are doubled.
  await talk.say(`${message.replace(/^\./gm, '..')}.`, 250, 'the mail');
  await wire.write(utf8('QUIT\r\n')).catch(() => {});
}

type Talk = ReturnType<typeof talkOver>;

function talkOver(wire: Wire) {
  let pending = '';
  async function reply(): Promise<Reply> {
    const lines: string[] = [];
    let size = 0;
    for (;;) {
      const end = pending.indexOf('\n');
      if (end >= 0) {
        const line = pending.slice(0, end).replace(/\r$/, '');
        pending = pending.slice(end + 1);
        if (!/^\d{3}([ -]|$)/.test(line)) throw new Error('the mail server does not speak SMTP');
        lines.push(line.slice(4));
        if (line[3] !== '-') return { code: Number(line.slice(0, 3)), lines };
        continue;
      }
      const bytes = await wire.read();
      if (bytes === null) throw new Error('the mail server closed the connection');
      size += bytes.length;
      if (size > longestReply) throw new Error('the mail server talks too much');
      pending += fromUtf8(bytes);
    }
  }
  async function expect(code: number, step: string): Promise<Reply> {
    const answer = await reply();
    if (answer.code === code) return answer;
    throw new Error(`the mail server answered ${answer.code} to ${step}: ${answer.lines.join(' ')}`);
  }
  return {
    expect,
    /** Sends a line and reads the reply. Errors show `step`, because the line may hold a password. */
    async say(line: string, code: number, step: string): Promise<Reply> {
      await wire.write(utf8(`${line}\r\n`));
      return expect(code, step);
    },
    hasMore: () => pending !== '',
  };
}

/** The keywords of what the server offers. */
async function hello(talk: Talk, us: string): Promise<string[]> {
  const { lines } = await talk.say(`EHLO ${us}`, 250, 'EHLO');
  return lines.map((line) => line.toUpperCase());
}

async function logIn(
  talk: Talk,
  { user, password }: NonNullable<SmtpServer['login']>,
  offers: readonly string[],
): Promise<void> {
  const methods = offers.find((offer) => offer.startsWith('AUTH '))?.split(' ') ?? [];
  const encode = (text: string) => btoa(String.fromCharCode(...utf8(text)));
  if (methods.includes('PLAIN')) {
    await talk.say(`AUTH PLAIN ${encode(`\u0000${user}\u0000${password}`)}`, 235, 'AUTH PLAIN');
    return;
  }
  if (!methods.includes('LOGIN')) throw new Error('the mail server offers neither AUTH PLAIN nor LOGIN');
  await talk.say('AUTH LOGIN', 334, 'AUTH LOGIN');
  await talk.say(encode(user), 334, 'the user name');
  await talk.say(encode(password), 235, 'the password');
}

/** A second check that an address cannot end its command; it is canonical already. */
function addressOf(address: string): string {
  if (/[\s<>\p{Cc}]/u.test(address)) throw new Error('the address is not one');
  return address;
}
