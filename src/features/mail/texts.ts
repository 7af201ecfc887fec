import { catalogue, inLanguage } from '../../lib/texts.ts';
import type { MailKind, MailLocale, MailText } from './kinds.ts';
import { mails } from './mails.ts';

/** The texts of every kind by language; a test compares their `{placeholders}`. */
export const mailTexts: Readonly<Record<MailLocale, Readonly<Record<MailKind, MailText>>>> = {
  en: mailsIn('en'),
  id: mailsIn('id'),
};

function mailsIn(locale: MailLocale): Record<MailKind, MailText> {
  const texts = Object.entries(mails).map(([kind, { subject, lead, advice, link }]) => {
    const text: MailText = {
      subject: inLanguage(locale, subject),
      lead: inLanguage(locale, lead),
      advice: advice.map((paragraph) => inLanguage(locale, paragraph)),
      link: link && { label: inLanguage(locale, link.label), path: link.path },
    };
    return [kind, text];
  });
  const byKind = Object.fromEntries(texts) as Record<keyof typeof mails, MailText>;
  return { ...byKind, known_reset_code: byKind.reset_code };
}

export type MailWords = (typeof mailWords)['en'];

/**
 * Words shared by several emails. `external` is a provider without a name in the settings; `on` is as in "Chrome on
 * Windows".
 */
export const mailWords = catalogue({
  account: ['Account', 'Akun'],
  what: ['What', 'Apa'],
  name: ['Name', 'Nama'],
  app: ['App', 'Aplikasi'],
  amount: ['Amount', 'Jumlah'],
  fee: ['Fee', 'Biaya'],
  memo: ['Message', 'Pesan'],
  reference: ['Reference', 'Nomor referensi'],
  transfer: ['Transfer', 'Transfer'],
  refund: ['Refund', 'Pengembalian dana'],
  deposit: ['Deposit', 'Setoran'],
  withdrawal: ['Withdrawal', 'Penarikan'],
  reversal: ['Reversal', 'Pembatalan'],
  sweep: ['App revenue', 'Pendapatan aplikasi'],
  correction: ['Correction', 'Koreksi'],
  debt: ['Debt', 'Utang'],
  sender: ['From', 'Dari'],
  destination: ['To', 'Ke'],
  when: ['When', 'Kapan'],
  device: ['Device', 'Perangkat'],
  country: ['Country', 'Negara'],
  password: ['Email and password', 'Email dan kata sandi'],
  external: ['External provider', 'Penyedia eksternal'],
  codeLife: `The code works once, for {minutes} minutes, only in the browser that asked for it.
    Kode ini berlaku {minutes} menit, hanya sekali, dan hanya di browser yang memintanya.`,
  codeSecret: `We never ask for this code by phone, chat or mail. Anybody who does is not us.
    Kami tidak pernah meminta kode ini, baik lewat telepon, chat, maupun email. Siapa pun yang memintanya bukan kami.`,
  automatic: `Sent automatically by {brand}, {host}. Replies are not read.
    Dikirim otomatis oleh {brand}, {host}. Balasan tidak dibaca.`,
  support: ['Help: {url}', 'Bantuan: {url}'],
  on: [' on ', ' di '],
});
