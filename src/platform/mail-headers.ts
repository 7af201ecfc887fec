import type { Sender } from '../lib/mail-settings.ts';

/** How long one mail may take to be handed over. */
export const mailDeadlineMs = 10_000;

/** Tells other machines not to answer: no out-of-office notes, no tickets (RFC 3834). */
export const mailHeaders = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** `"Name" <address>`, or the address alone. `parseSender` has refused what would break out of the quotes. */
export function senderHeader({ name, address }: Sender): string {
  return name === '' ? address : `"${name}" <${address}>`;
}

/** The same for each try, so that a mail that was sent twice is known as one (RFC 5322, 3.6.4). */
export function messageIdOf(mailId: string, { address }: Sender): string {
  return `<${mailId}@${address.slice(address.lastIndexOf('@') + 1)}>`;
}
