import type { OutgoingMail } from '../deps.ts';
import { utf8 } from '../lib/encoding.ts';
import type { Sender } from '../lib/mail-settings.ts';
import { mailHeaders, messageIdOf } from './mail-headers.ts';

const longestLine = 76;
/** Bytes of an encoded word, whose limit is 75 characters with its frame (RFC 2047, 2). */
const wordBytes = 45;

/** A mail by RFC 5322 and MIME: text and HTML as alternatives, all in ASCII. */
export function formatMessage(from: Sender, mail: OutgoingMail, now: number): string {
  // Quoted-printable never has an equals sign before an underscore, so no part ends early.
  const boundary = `=_${mail.id}`;
  const name = /^[\x20-\x7e]*$/.test(from.name) ? `"${from.name}"` : headerText(from.name);
  const headers = [
    ['From', from.name === '' ? from.address : `${name} <${from.address}>`],
    ['To', mail.to],
    ['Subject', headerText(mail.subject)],
    ['Date', new Date(now).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', messageIdOf(mail.id, from)],
    ...Object.entries(mailHeaders),
    ['MIME-Version', '1.0'],
    ['Content-Type', `multipart/alternative; boundary="${boundary}"`],
  ];
  const part = (type: string, content: string) => [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    quotedPrintable(content),
  ];
  return [
    ...headers.map(([header, value]) => `${header}: ${value}`),
    '',
    ...part('text/plain', mail.text),
    ...part('text/html', mail.html),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

/** Text for one header, without line breaks; as encoded words unless it is ASCII. */
function headerText(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  if (/^[\x20-\x7e]{0,900}$/.test(line)) return line;
  const words: string[] = [''];
  for (const character of line) {
    const last = words.at(-1) ?? '';
    if (utf8(last + character).length > wordBytes) words.push(character);
    else words[words.length - 1] = last + character;
  }
  return words.map((word) => `=?UTF-8?B?${btoa(String.fromCharCode(...utf8(word)))}?=`).join('\r\n ');
}

/** Quoted-printable (RFC 2045, 6.7). */
function quotedPrintable(text: string): string {
  return text.replace(/\n$/, '').split(/\r?\n/).map(quotedLine).join('\r\n');
}

function quotedLine(line: string): string {
  const bytes = utf8(line);
  const lines: string[] = [];
  let current = '';
  for (const [index, byte] of bytes.entries()) {
    const isBlank = byte === 0x20 || byte === 0x09;
    const isPlain = byte > 0x20 && byte < 0x7f && byte !== 0x3d;
    const plain = isPlain || (isBlank && index < bytes.length - 1);
    const token = plain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (current.length + token.length >= longestLine) {
      lines.push(`${current}=`);
      current = '';
    }
    current += token;
  }
  return [...lines, current].join('\r\n');
}
