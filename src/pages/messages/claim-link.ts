import { catalogue } from '../../ui/locale.ts';

/** "I already have a PID": linking the account of a claim ticket. */
export const claimLinkTexts = catalogue({
  en: {
    title: 'Add to your PID',
    offer: 'I already have a PID',
    offerHint: 'Sign in the way you did before, and this account is added to your PID.',
    signInFirst: 'Sign in to your PID. The account you came with is then added to it.',
    question: 'Add this account to {pid}?',
    account: 'The account you came with',
    identity: 'You are signed in as',
    meaning: 'Anyone who can sign in to that account can then sign in as {pid}. Add it only if it is yours.',
    noEmail: 'no email address',
    mine: 'This {provider} account is mine',
    mineMissing: 'Confirm that this account is yours',
    link: 'Add this account',
    changed: 'The account you came with has changed. Please check it again.',
    signInAgain: 'Sign in again',
    other: 'Sign in to another PID',
    claim: 'Choose a new PID instead',
    discard: 'This account is not mine',
  },
  id: {
    title: 'Tambahkan ke PID Anda',
    offer: 'Saya sudah punya PID',
    offerHint: 'Masuk dengan cara yang biasa Anda pakai, lalu akun ini ditambahkan ke PID Anda.',
    signInFirst: 'Masuk ke PID Anda. Akun yang tadi Anda pakai kemudian ditambahkan ke PID itu.',
    question: 'Tambahkan akun ini ke {pid}?',
    account: 'Akun yang tadi Anda pakai',
    identity: 'Anda masuk sebagai',
    meaning:
      'Siapa pun yang bisa masuk ke akun itu akan bisa masuk sebagai {pid}. Tambahkan hanya jika akun itu milik Anda.',
    noEmail: 'tanpa alamat email',
    mine: 'Akun {provider} ini milik saya',
    mineMissing: 'Pastikan akun ini milik Anda',
    link: 'Tambahkan akun ini',
    changed: 'Akun yang tadi Anda pakai sudah berubah. Silakan periksa lagi.',
    signInAgain: 'Masuk lagi',
    other: 'Masuk ke PID lain',
    claim: 'Pilih PID baru sebagai gantinya',
    discard: 'Akun ini bukan milik saya',
  },
});
