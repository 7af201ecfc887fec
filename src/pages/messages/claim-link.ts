import { catalogue } from '../../lib/texts.ts';

/** "I already have a PID": linking the account of a claim ticket. */
export const claimLinkTexts = catalogue({
  title: ['Add to your PID', 'Tambahkan ke PID Anda'],
  offer: ['I already have a PID', 'Saya sudah punya PID'],
  offerHint: `Sign in the way you did before, and this account is added to your PID.
    Masuk dengan cara yang biasa Anda pakai, lalu akun ini ditambahkan ke PID Anda.`,
  signInFirst: `Sign in to your PID. The account you came with is then added to it.
    Masuk ke PID Anda. Akun yang tadi Anda pakai kemudian ditambahkan ke PID itu.`,
  question: ['Add this account to {pid}?', 'Tambahkan akun ini ke {pid}?'],
  account: ['The account you came with', 'Akun yang tadi Anda pakai'],
  identity: ['You are signed in as', 'Anda masuk sebagai'],
  meaning: `Anyone who can sign in to that account can then sign in as {pid}. Add it only if it is yours.
    Siapa pun yang bisa masuk ke akun itu akan bisa masuk sebagai {pid}. Tambahkan hanya jika akun itu milik Anda.`,
  noEmail: ['no email address', 'tanpa alamat email'],
  mine: ['This {provider} account is mine', 'Akun {provider} ini milik saya'],
  mineMissing: ['Confirm that this account is yours', 'Pastikan akun ini milik Anda'],
  link: ['Add this account', 'Tambahkan akun ini'],
  changed: `The account you came with has changed. Please check it again.
    Akun yang tadi Anda pakai sudah berubah. Silakan periksa lagi.`,
  signInAgain: ['Sign in again', 'Masuk lagi'],
  other: ['Sign in to another PID', 'Masuk ke PID lain'],
  claim: ['Choose a new PID instead', 'Pilih PID baru sebagai gantinya'],
  discard: ['This account is not mine', 'Akun ini bukan milik saya'],
});
