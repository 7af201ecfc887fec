import { gzipSync } from 'node:zlib';

/** A file of an archive, or a folder if the name ends in `/`. */
export interface Entry {
  readonly name: string;
  readonly content?: Buffer;
  readonly mode?: number;
  /** User and group; root by default. */
  readonly owner?: number;
}

/** The modification time, in seconds, that npm also uses for every file. */
const packedAt = 499_162_500;

/**
 * A tar archive (POSIX.1-1988 ustar). Order, modes and times depend only on the entries, so equal entries yield equal
 * archives.
 */
export function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = entry.content ?? Buffer.alloc(0);
    return [headerOf(entry, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

function headerOf({ name, mode, owner }: Entry, bytes: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar archive`);
  const header = Buffer.alloc(512);
  const isFolder = name.endsWith('/');
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0);
  header.write(octal(mode ?? (isFolder ? 0o755 : 0o644), 7), 100);
  header.write(octal(owner ?? 0, 7).repeat(2), 108);
  header.write(octal(bytes, 11), 124);
  header.write(octal(packedAt, 11), 136);
  header.write(isFolder ? '        5' : '        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
}

export function gzipped(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: 9 });
}
