import { catalogue } from '../../ui/locale.ts';

/** "I already have a PID": linking the account of a claim ticket. */
export const claimLinkTexts = catalogue({
  en: {
    title: 'Link to your PID',
    offer: 'I already have a PID',
    offerHint: 'Sign in with what you used before, and this account is linked to it.',
    signInFirst: 'Sign in to your PID. The account you came with waits and is then linked to it.',
    question: 'Link this account to {pid}?',
    account: 'The account you came with',
    identity: 'You are signed in as',
    meaning: 'Whoever can sign in to that account can then sign in as {pid}. Link it only if it is yours.',
    noEmail: 'no email address',
    mine: 'This {provider} account is mine',
    mineMissing: 'Confirm that the account is yours',
    link: 'Link this account',
    changed: 'The waiting account has changed in the meantime. Please check it again.',
    signInAgain: 'Sign in again',
    other: 'Sign in to another PID',
    claim: 'Choose a new PID instead',
    discard: 'This account is not mine',
  },
  id: {
    title: 'Tautkan ke PID Anda',
    offer: 'Saya sudah punya PID',
    offerHint: 'Masuk dengan cara yang biasa Anda pakai, lalu akun ini ditautkan ke PID tersebut.',
    signInFirst:
      'Masuk ke PID yang Anda miliki. Akun yang tadi Anda pakai menunggu, lalu ditautkan ke PID itu.',
    question: 'Tautkan akun ini ke {pid}?',
    account: 'Akun yang tadi Anda pakai',
    identity: 'Anda masuk sebagai',
    meaning:
      'Siapa pun yang dapat masuk ke akun itu akan dapat masuk sebagai {pid}. Tautkan hanya jika akun itu milik Anda.',
    noEmail: 'tanpa alamat email',
    mine: 'Akun {provider} ini milik saya',
    mineMissing: 'Pastikan bahwa akun itu milik Anda',
    link: 'Tautkan akun ini',
    changed: 'Akun yang menunggu di sini sudah berubah. Periksa sekali lagi.',
    signInAgain: 'Masuk lagi',
    other: 'Masuk ke PID lain',
    claim: 'Pilih PID baru sebagai gantinya',
    discard: 'Akun ini bukan milik saya',
  },
});
