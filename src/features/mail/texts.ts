import { english } from './english.ts';
import { indonesian } from './indonesian.ts';
import type { MailKind, MailLocale, MailText } from './kinds.ts';

/** Words that several mails share. */
export interface MailWords {
  readonly account: string;
  readonly what: string;
  readonly name: string;
  readonly app: string;
  readonly when: string;
  readonly device: string;
  readonly country: string;
  readonly password: string;
  /** The provider of a credential whose settings name none. */
  readonly external: string;
  readonly codeLife: string;
  readonly codeSecret: string;
  readonly automatic: string;
  /** Stands between browser and system, as in "Chrome on Windows". */
  readonly on: string;
}

/** Both languages have every kind, by type, and the same `{placeholders}`, by test. */
export const mailTexts: Readonly<Record<MailLocale, Readonly<Record<MailKind, MailText>>>> = {
  en: english,
  id: indonesian,
};

export const mailWords: Readonly<Record<MailLocale, MailWords>> = {
  en: {
    account: 'Account',
    what: 'What',
    name: 'Name',
    app: 'App',
    when: 'When',
    device: 'Device',
    country: 'Country',
    password: 'Email and password',
    external: 'External provider',
    codeLife: 'The code is good for {minutes} minutes, once, in the browser that asked for it.',
    codeSecret:
      'We never ask for this code, neither by phone nor in a chat nor by mail. Whoever does is not us.',
    automatic: 'Sent automatically by {host}. Replies are not read.',
    on: ' on ',
  },
  id: {
    account: 'Akun',
    what: 'Apa',
    name: 'Nama',
    app: 'Aplikasi',
    when: 'Kapan',
    device: 'Perangkat',
    country: 'Negara',
    password: 'Email dan kata sandi',
    external: 'Penyedia eksternal',
    codeLife: 'Kode ini berlaku {minutes} menit, hanya sekali, di peramban yang memintanya.',
    codeSecret:
      'Kami tidak pernah meminta kode ini, baik lewat telepon, chat, maupun email. Siapa pun yang memintanya bukan kami.',
    automatic: 'Dikirim otomatis oleh {host}. Balasan tidak dibaca.',
    on: ' di ',
  },
};
