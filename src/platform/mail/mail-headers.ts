import type { Sender } from '../../config/mail-settings.ts';

export const mailDeadlineMs = 10_000;

/** Prevents automatic answers, such as out-of-office notes (RFC 3834). */
export const mailHeaders = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** `"Name" <address>`, or only the address. `parseSender` rejects names that would end the quotes. */
export function senderHeader({ name, address }: Sender): string {
  return name === '' ? address : `"${name}" <${address}>`;
}

/** The same for each attempt, so that mail clients recognise a duplicate (RFC 5322, 3.6.4). */
export function messageIdOf(mailId: string, { address }: Sender): string {
  return `<${mailId}@${address.slice(address.lastIndexOf('@') + 1)}>`;
}
