import { catalogue } from '../locale.ts';

/** The texts of the login popup. */
export const popupTexts = catalogue({
  en: {
    continueQuestion: 'Continue as {pid}?',
    signedInHere: 'You are signed in here already.',
    continueAs: 'Continue as {pid}',
    anotherAccount: 'Use another account',
    linkTitle: 'Link an account',
    linkFirst: 'Sign in as {pid} first; then you link the new account.',
    goTo: 'Go to {provider}',
    waiting: 'One moment',
    waitingText: 'The app that opened this window is getting ready.',
    noRequest: 'This window has no request',
    noRequestText: 'The app that opened it did not say what it is for. Close it, and start again in the app.',
    doneTitle: 'You are signed in',
    linkedTitle: 'The account is linked',
    endedTitle: 'This request has ended',
    deniedTitle: 'You cancelled the sign-in',
    closeWindow: 'You can close this window and return to',
  },
  id: {
    continueQuestion: 'Lanjutkan sebagai {pid}?',
    signedInHere: 'Anda sudah masuk di sini.',
    continueAs: 'Lanjutkan sebagai {pid}',
    anotherAccount: 'Gunakan akun lain',
    linkTitle: 'Tautkan akun',
    linkFirst: 'Masuk dulu sebagai {pid}, lalu tautkan akun yang baru.',
    goTo: 'Buka {provider}',
    waiting: 'Tunggu sebentar',
    waitingText: 'Aplikasi yang membuka jendela ini sedang bersiap.',
    noRequest: 'Jendela ini tidak memiliki permintaan',
    noRequestText:
      'Aplikasi yang membukanya tidak menyebutkan keperluannya. Tutup jendela ini, lalu mulai lagi dari aplikasi.',
    doneTitle: 'Anda sudah masuk',
    linkedTitle: 'Akun sudah ditautkan',
    endedTitle: 'Permintaan ini sudah berakhir',
    deniedTitle: 'Anda membatalkan proses masuk',
    closeWindow: 'Anda dapat menutup jendela ini dan kembali ke',
  },
});
