/** Nothing that a header or a list would read, and nothing invisible: two addresses that look alike are two people. */
const shape =
  /^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]+@[^\s@"(),:;<>[\\\]/?#%\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]+$/u;

/**
 * The one spelling under which an address is compared and stored: trimmed, NFC, lower case, the domain in
 * its ASCII form (IDNA). Null when the text is no address.
 */
export function canonicalEmail(text: string): string | null {
  const trimmed = text.trim().toLowerCase().normalize('NFC');
  if (trimmed.length > 254 || !shape.test(trimmed)) return null;
  const at = trimmed.lastIndexOf('@');
  const domain = URL.parse(`http://${trimmed.slice(at + 1)}/`);
  // A final dot would be a second spelling of the same domain.
  if (!domain?.hostname.includes('.') || domain.hostname.endsWith('.')) return null;
  return `${trimmed.slice(0, at)}@${domain.hostname}`;
}

/** An address as a log or a page may show it: enough for its owner to recognise it, too little to write to. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}…@${email.slice(at + 1)}`;
}
