import { canonicalEmail } from '../src/lib/email.ts';
import { secretHash } from '../src/lib/secret.ts';

/** A person known to the sandbox identity provider. */
export interface SandboxPerson {
  /** The value that the picker sends for this person. */
  readonly id: string;
  readonly subject: string;
  readonly name: string;
  readonly email: string;
  readonly locale: string;
}

function demo(id: string, name: string, email: string, locale: string): SandboxPerson {
  return { id, subject: `sandbox-${id}`, name, email, locale };
}

/** Owns the demo data's PID and the address used by the email conflict option. */
export const ayu: SandboxPerson = demo('ayu', 'Ayu Lestari', 'ayu@example.com', 'id-ID');

/** Ayu pays him in the demo data. */
export const budi: SandboxPerson = demo('budi', 'Budi Santoso', 'budi@example.com', 'id-ID');

/** The administrator of the service started by `npm run dev`. */
export const olu: SandboxPerson = demo('olu', 'Olúmìdé Adébáyọ̀', 'olumide@example.com', 'en-NG');

/**
 * The owner of the demo shop. They are not in the picker, so that everyone in the picker can buy there; signing in
 * needs their address.
 */
export const shopkeeper: SandboxPerson = demo('kedai-pagi', 'Kedai Pagi', 'owner@kedaipagi.example', 'id-ID');

/** Demo people that always exist, with accents, other scripts and several parts in their names. */
export const demoPeople: readonly SandboxPerson[] = [
  ayu,
  budi,
  demo('siti', 'Siti Rahmawati', 'siti.rahmawati@example.com', 'id-ID'),
  demo('noe', 'Noé Müller-Øst', 'noe@example.com', 'de-DE'),
  demo('mei', '陈美玲', 'meiling.chen@example.com', 'zh-CN'),
  olu,
];

/**
 * A new person, or null if the address is invalid. The subject is derived from the address, so an address always
 * identifies the same person.
 */
export function personFor(name: string, address: string): SandboxPerson | null {
  const email = canonicalEmail(address);
  if (email === null) return null;
  const known = [...demoPeople, shopkeeper].find((person) => person.email === email);
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
