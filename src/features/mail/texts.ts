import { accountPaths, signInPath } from '../../lib/page-paths.ts';
import type { MailKind, MailLocale } from './kinds.ts';

/** One mail in one language. `{host}` is the service's host, `{minutes}` how long the code is good. */
export interface MailText {
  readonly subject: string;
  /** What happened. In a mail with a code, the code follows. */
  readonly lead: string;
  /** One paragraph each: what to do if it was the reader, and what if it was not. */
  readonly advice: readonly string[];
  /** The one link of the mail, into the service. */
  readonly link: {
    readonly label: string;
    readonly path: typeof accountPaths.home | typeof signInPath;
  } | null;
}

/** Words that several mails share. */
export interface MailWords {
  readonly account: string;
  readonly what: string;
  readonly name: string;
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

const account = {
  en: { label: 'Open your account', path: accountPaths.home },
  id: { label: 'Buka akun Anda', path: accountPaths.home },
} as const;
const signIn = {
  en: { label: 'Sign in', path: signInPath },
  id: { label: 'Masuk', path: signInPath },
} as const;

const english: Record<MailKind, MailText> = {
  register_code: {
    subject: 'Confirm your address for {host}',
    lead: 'Somebody, hopefully you, is signing up at {host} with this address. Type this code on the page that asks for it:',
    advice: ['If this was not you, do nothing: without the code no account is made.'],
    link: null,
  },
  register_known: {
    subject: 'You already have an account at {host}',
    lead: 'Somebody, hopefully you, tried to sign up at {host} with this address. It already belongs to an account, so no new one was made.',
    advice: [
      'If this was you, sign in the way you did before. If you no longer know your password, choose “Forgot password?” there.',
      'If this was not you, do nothing: nothing has changed, and whoever it was did not learn that you have an account.',
    ],
    link: signIn.en,
  },
  link_code: {
    subject: 'Confirm this address for {host}',
    lead: 'Somebody, hopefully you, wants to sign in at {host} with this address and a password. Type this code on the page that asks for it:',
    advice: ['If this was not you, do nothing: without the code the address is not linked to any account.'],
    link: null,
  },
  link_known: {
    subject: 'This address is already in use at {host}',
    lead: 'Somebody, hopefully you, tried to link this address to an account at {host}. It already belongs to an account, so nothing has changed.',
    advice: [
      'If this was you, sign in the way you did when you first used this address.',
      'If this was not you, do nothing: nobody gets into your account by this.',
    ],
    link: signIn.en,
  },
  reset_code: {
    subject: 'Choose a new password for {host}',
    lead: 'Somebody, hopefully you, wants to choose a new password for your account at {host}. Type this code on the page that asks for it:',
    advice: ['If this was not you, do nothing: without the code your password stays as it is.'],
    link: null,
  },
  reset_unknown: {
    subject: 'No password to change at {host}',
    lead: 'Somebody, hopefully you, wants to choose a new password at {host}, but no account there has a password with this address.',
    advice: [
      'If this was you, you may sign in another way, such as with Google or a passkey, or have used another address.',
      'If this was not you, do nothing: nothing has changed.',
    ],
    link: signIn.en,
  },
  credential_linked: {
    subject: 'A way to sign in was added at {host}',
    lead: 'Your account at {host} has a new way to sign in.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else can get into your account. Open it now, unlink what you do not know, and sign out everywhere else.',
    ],
    link: account.en,
  },
  credential_unlinked: {
    subject: 'A way to sign in was removed at {host}',
    lead: 'One way to sign in to your account at {host} was removed.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and look at what is linked.',
    ],
    link: account.en,
  },
  password_changed: {
    subject: 'Your password at {host} was changed',
    lead: 'The password of your account at {host} was changed, and all other sessions were ended.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, choose “Forgot password?” on the sign-in page now, then look at what else signs you in.',
    ],
    link: account.en,
  },
  password_reset: {
    subject: 'Your password at {host} was reset',
    lead: 'Somebody with a code from your mailbox chose a new password for your account at {host}. All sessions were ended.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody can read your mail. Secure your mailbox first, then choose “Forgot password?” on the sign-in page.',
    ],
    link: account.en,
  },
  passkey_added: {
    subject: 'A passkey was added at {host}',
    lead: 'Your account at {host} has a new passkey. Whoever holds it can sign in.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else can get into your account. Open it now, remove the passkey, and sign out everywhere else.',
    ],
    link: account.en,
  },
  passkey_removed: {
    subject: 'A passkey was removed at {host}',
    lead: 'A passkey of your account at {host} was removed. It no longer signs anybody in.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and look at what is linked.',
    ],
    link: account.en,
  },
};

const indonesian: Record<MailKind, MailText> = {
  register_code: {
    subject: 'Konfirmasi alamat Anda untuk {host}',
    lead: 'Seseorang, semoga Anda sendiri, sedang mendaftar di {host} dengan alamat ini. Ketik kode berikut di halaman yang memintanya:',
    advice: ['Jika ini bukan Anda, abaikan saja: tanpa kode ini tidak ada akun yang dibuat.'],
    link: null,
  },
  register_known: {
    subject: 'Anda sudah punya akun di {host}',
    lead: 'Seseorang, semoga Anda sendiri, mencoba mendaftar di {host} dengan alamat ini. Alamat ini sudah dipakai sebuah akun, jadi tidak ada akun baru yang dibuat.',
    advice: [
      'Jika ini Anda, masuklah dengan cara yang biasa Anda pakai. Jika lupa kata sandi, pilih “Lupa kata sandi?” di sana.',
      'Jika ini bukan Anda, abaikan saja: tidak ada yang berubah, dan orang itu tidak tahu bahwa Anda punya akun.',
    ],
    link: signIn.id,
  },
  link_code: {
    subject: 'Konfirmasi alamat ini untuk {host}',
    lead: 'Seseorang, semoga Anda sendiri, ingin masuk di {host} dengan alamat ini dan kata sandi. Ketik kode berikut di halaman yang memintanya:',
    advice: [
      'Jika ini bukan Anda, abaikan saja: tanpa kode ini alamat Anda tidak ditautkan ke akun mana pun.',
    ],
    link: null,
  },
  link_known: {
    subject: 'Alamat ini sudah dipakai di {host}',
    lead: 'Seseorang, semoga Anda sendiri, mencoba menautkan alamat ini ke sebuah akun di {host}. Alamat ini sudah dipakai sebuah akun, jadi tidak ada yang berubah.',
    advice: [
      'Jika ini Anda, masuklah dengan cara yang Anda pakai saat pertama kali menggunakan alamat ini.',
      'Jika ini bukan Anda, abaikan saja: tidak ada yang bisa masuk ke akun Anda karena ini.',
    ],
    link: signIn.id,
  },
  reset_code: {
    subject: 'Buat kata sandi baru untuk {host}',
    lead: 'Seseorang, semoga Anda sendiri, ingin membuat kata sandi baru untuk akun Anda di {host}. Ketik kode berikut di halaman yang memintanya:',
    advice: ['Jika ini bukan Anda, abaikan saja: tanpa kode ini kata sandi Anda tidak berubah.'],
    link: null,
  },
  reset_unknown: {
    subject: 'Tidak ada kata sandi yang bisa diubah di {host}',
    lead: 'Seseorang, semoga Anda sendiri, ingin membuat kata sandi baru di {host}, tetapi tidak ada akun di sana yang memakai kata sandi dengan alamat ini.',
    advice: [
      'Jika ini Anda, mungkin Anda masuk dengan cara lain, misalnya dengan Google atau passkey, atau memakai alamat lain.',
      'Jika ini bukan Anda, abaikan saja: tidak ada yang berubah.',
    ],
    link: signIn.id,
  },
  credential_linked: {
    subject: 'Cara masuk baru ditambahkan di {host}',
    lead: 'Akun Anda di {host} kini punya cara masuk baru.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain bisa masuk ke akun Anda. Segera buka akun Anda, putuskan tautan yang tidak Anda kenal, lalu keluar dari semua perangkat lain.',
    ],
    link: account.id,
  },
  credential_unlinked: {
    subject: 'Satu cara masuk dihapus di {host}',
    lead: 'Salah satu cara masuk ke akun Anda di {host} telah dihapus.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu periksa apa saja yang tertaut.',
    ],
    link: account.id,
  },
  password_changed: {
    subject: 'Kata sandi Anda di {host} telah diubah',
    lead: 'Kata sandi akun Anda di {host} telah diubah, dan semua sesi lain diakhiri.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, segera pilih “Lupa kata sandi?” di halaman masuk, lalu periksa cara masuk lain yang tertaut ke akun Anda.',
    ],
    link: account.id,
  },
  password_reset: {
    subject: 'Kata sandi Anda di {host} telah disetel ulang',
    lead: 'Seseorang dengan kode dari kotak surat Anda membuat kata sandi baru untuk akun Anda di {host}. Semua sesi telah diakhiri.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, ada orang yang bisa membaca email Anda. Amankan kotak surat Anda dahulu, lalu pilih “Lupa kata sandi?” di halaman masuk.',
    ],
    link: account.id,
  },
  passkey_added: {
    subject: 'Passkey baru ditambahkan di {host}',
    lead: 'Akun Anda di {host} kini punya passkey baru. Siapa pun yang memegangnya bisa masuk.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain bisa masuk ke akun Anda. Segera buka akun Anda, hapus passkey itu, lalu keluar dari semua perangkat lain.',
    ],
    link: account.id,
  },
  passkey_removed: {
    subject: 'Sebuah passkey dihapus di {host}',
    lead: 'Sebuah passkey milik akun Anda di {host} telah dihapus dan tidak bisa dipakai untuk masuk lagi.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu periksa apa saja yang tertaut.',
    ],
    link: account.id,
  },
};

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
