import { canonicalEmail } from '../lib/email.ts';
import { secretHash } from '../lib/secret.ts';

/** Somebody the sandbox identity provider knows. */
export interface SandboxPerson {
  /** What the user picker sends for this person. */
  readonly id: string;
  readonly subject: string;
  readonly name: string;
  readonly email: string;
  readonly locale: string;
}

function demo(id: string, name: string, email: string, locale: string): SandboxPerson {
  return { id, subject: `sandbox-${id}`, name, email, locale };
}

/** The person whose address the email conflict knob presents, and whose PID the demo data claims. */
export const ayu: SandboxPerson = demo('ayu', 'Ayu Lestari', 'ayu@example.com', 'id-ID');

/** People that are always there, with names as names are: accents, other scripts, several parts. */
export const demoPeople: readonly SandboxPerson[] = [
  ayu,
  demo('budi', 'Budi Santoso', 'budi@example.com', 'id-ID'),
  demo('siti', 'Siti Rahmawati', 'siti.rahmawati@example.com', 'id-ID'),
  demo('noe', 'Noé Müller-Øst', 'noe@example.com', 'de-DE'),
  demo('mei', '陈美玲', 'meiling.chen@example.com', 'zh-CN'),
  demo('olu', 'Olúmìdé Adébáyọ̀', 'olumide@example.com', 'en-NG'),
];

/**
 * A person made on the spot, or null when the address is none. The subject comes from the address: the same
 * address is the same person, as often as somebody types it in.
 */
export function personFor(name: string, address: string): SandboxPerson | null {
  const email = canonicalEmail(address);
  if (email === null) return null;
  const known = demoPeople.find((person) => person.email === email);
  if (known) return known;
  const subject = `sandbox-${secretHash(email).slice(0, 16)}`;
  return {
    id: email,
    subject,
    name: name.trim() || email.slice(0, email.lastIndexOf('@')),
    email,
    locale: 'en',
  };
}
