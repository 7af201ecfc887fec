/**
 * No characters with a meaning in a header or a list, and no invisible ones, which would make look-alike addresses
 * distinct.
 */
const shape =
  /^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]+@[^\s@"(),:;<>[\\\]/?#%\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]+$/u;

/** Mail host names (RFC 1123 section 2.1, RFC 5321 section 2.3.5); the last label is never a number. */
const mailDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const maxLength = 254;

/**
 * The canonical form of an address: trimmed, NFC, lower case, with the domain in ASCII (IDNA). Null if the text is not
 * an address. Text of twice the length of an address is never normalised, because the time for this may grow with the
 * square of the length, and anyone may send any text.
 */
export function canonicalEmail(text: string): string | null {
  const typed = text.trim();
  if (typed.length > 2 * maxLength) return null;
  const trimmed = typed.toLowerCase().normalize('NFC');
  if (trimmed.length > maxLength || !shape.test(trimmed)) return null;
  const at = trimmed.lastIndexOf('@');
  const domain = URL.parse(`http://${trimmed.slice(at + 1)}/`)?.hostname ?? '';
  return mailDomain.test(domain) ? `${trimmed.slice(0, at)}@${domain}` : null;
}

/** A masked address that its owner recognises but nobody else can write to. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}…@${email.slice(at + 1)}`;
}
