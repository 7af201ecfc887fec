import { english } from './english.ts';
import { indonesian } from './indonesian.ts';
import type { MailKind, MailLocale, MailText } from './kinds.ts';

/** Words that several mails share. */
export interface MailWords {
  readonly account: string;
  readonly what: string;
  readonly name: string;
  readonly app: string;
  readonly amount: string;
  readonly sender: string;
  readonly destination: string;
  readonly when: string;
  readonly device: string;
  readonly country: string;
  readonly password: string;
  /** The provider of a credential whose settings name none. */
  readonly external: string;
  readonly codeLife: string;
  readonly codeSecret: string;
  readonly automatic: string;
  readonly support: string;
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
    amount: 'Amount',
    sender: 'From',
    destination: 'To',
    when: 'When',
    device: 'Device',
    country: 'Country',
    password: 'Email and password',
    external: 'External provider',
    codeLife: 'The code works once, for {minutes} minutes, only in the browser that asked for it.',
    codeSecret: 'We never ask for this code by phone, chat or mail. Anybody who does is not us.',
    automatic: 'Sent automatically by {brand}, {host}. Replies are not read.',
    support: 'Help: {url}',
    on: ' on ',
  },
  id: {
    account: 'Akun',
    what: 'Apa',
    name: 'Nama',
    app: 'Aplikasi',
    amount: 'Jumlah',
    sender: 'Dari',
    destination: 'Ke',
    when: 'Kapan',
    device: 'Perangkat',
    country: 'Negara',
    password: 'Email dan kata sandi',
    external: 'Penyedia eksternal',
    codeLife: 'Kode ini berlaku {minutes} menit, hanya sekali, dan hanya di browser yang memintanya.',
    codeSecret:
      'Kami tidak pernah meminta kode ini, baik lewat telepon, chat, maupun email. Siapa pun yang memintanya bukan kami.',
    automatic: 'Dikirim otomatis oleh {brand}, {host}. Balasan tidak dibaca.',
    support: 'Bantuan: {url}',
    on: ' di ',
  },
};
