/**
 * No characters with a meaning in a header or a list, and no invisible ones, which would make look-alike addresses
 * distinct.
 */
const shape =
  /^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]+@[^\s@"(),:;<>[\\\]/?#%\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]+$/u;

/** Mail host names (RFC 1123 section 2.1, RFC 5321 section 2.3.5); the last label is never a number. */
const mailDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The canonical form of an address: trimmed, NFC, lower case, with the domain in ASCII (IDNA). Null if the text is not
 * an address.
 */
export function canonicalEmail(text: string): string | null {
  const trimmed = text.trim().toLowerCase().normalize('NFC');
  if (trimmed.length > 254 || !shape.test(trimmed)) return null;
  const at = trimmed.lastIndexOf('@');
  const domain = URL.parse(`http://${trimmed.slice(at + 1)}/`)?.hostname ?? '';
  return mailDomain.test(domain) ? `${trimmed.slice(0, at)}@${domain}` : null;
}

/** A masked address that its owner recognises but nobody else can write to. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}…@${email.slice(at + 1)}`;
}
