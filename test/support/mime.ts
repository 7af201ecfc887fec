import { Buffer } from 'node:buffer';

interface ParsedMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Record<string, string>;
}

/**
 * Reads a message with a plain text part and an HTML part.
 * @param raw the message, one character per byte
 */
export function parseMessage(raw: string): ParsedMessage {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1);
  const contents = parts.map((part) => {
    const { headers: own, body: encoded } = split(part.replace(/^\r\n/, ''));
    return { type: own['content-type'] ?? '', content: decode(own, encoded) };
  });
  const of = (type: string) => contents.find((part) => part.type.startsWith(type))?.content ?? '';
  return { subject: words(headers['subject'] ?? ''), text: of('text/plain'), html: of('text/html'), headers };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const at = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: Object.fromEntries(headers), body: raw.slice(at + 4) };
}

function decode(headers: Record<string, string>, encoded: string): string {
  const body = encoded.replace(/\r\n$/, '');
  const encoding = headers['content-transfer-encoding'];
  const bytes =
    encoding === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(unquoted(encoding, body), 'latin1');
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}

function unquoted(encoding: string | undefined, body: string): string {
  return encoding === 'quoted-printable' ? hex(body.replace(/=[ \t]*\r\n/g, '')) : body;
}

function hex(text: string): string {
  return text.replace(/=([\dA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** A header's encoded words (RFC 2047). */
function words(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('latin1')
        : hex(text.replaceAll('_', ' ')),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}
