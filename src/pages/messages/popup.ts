import { catalogue } from '../../lib/texts.ts';

/** The texts of the login popup. */
export const popupTexts = catalogue({
  continueQuestion: ['Continue as {pid}?', 'Lanjutkan sebagai {pid}?'],
  signedInHere: ['You are already signed in here.', 'Anda sudah masuk di sini.'],
  continueAs: ['Continue as {pid}', 'Lanjutkan sebagai {pid}'],
  anotherAccount: ['Use another account', 'Gunakan akun lain'],
  linkTitle: ['Add an account', 'Tambahkan akun'],
  linkFirst: `First sign in as {pid}, then add the new account.
    Masuk dulu sebagai {pid}, lalu tambahkan akun yang baru.`,
  again: `Sign in as {pid} again to confirm that it is you.
    Masuk lagi sebagai {pid} untuk memastikan ini memang Anda.`,
  goTo: ['Continue to {provider}', 'Lanjutkan ke {provider}'],
  waiting: ['One moment', 'Tunggu sebentar'],
  waitingText: `The app that opened this window is getting ready.
    Aplikasi yang membuka jendela ini sedang bersiap.`,
  noRequest: ['Nothing to do here', 'Tidak ada yang perlu dilakukan di sini'],
  noRequestText: `The app that opened this window did not say why. Close it and start again in the app.
    Aplikasi yang membuka jendela ini tidak menyebutkan tujuannya. Tutup jendela ini, lalu mulai lagi dari aplikasi.`,
  doneTitle: ['You are signed in', 'Anda sudah masuk'],
  linkedTitle: ['Account added', 'Akun ditambahkan'],
  endedTitle: ['This request has ended', 'Permintaan ini sudah berakhir'],
  deniedTitle: ['Sign-in cancelled', 'Proses masuk dibatalkan'],
  appGets: ['The app may then:', 'Aplikasi ini kemudian dapat:'],
  knowHost: ['Continue only if you know {host}.', 'Lanjutkan hanya jika Anda mengenal {host}.'],
  notTaken: `The app did not get your sign-in, because the browser has separated this window from it. Close this window and try again in the app.
    Aplikasi tidak menerima proses masuk Anda karena browser memisahkan jendela ini darinya. Tutup jendela ini, lalu coba lagi dari aplikasi.`,
  closeWindow: ['You can close this window and return to', 'Anda dapat menutup jendela ini dan kembali ke'],
  timeLeft: ['{time} left', 'Sisa waktu {time}'],
  soonOver: ['30 seconds left.', 'Sisa 30 detik.'],
  timeOver: `Time is up. Start again in the app. Nothing was changed.
    Waktu habis. Mulai lagi dari aplikasi. Tidak ada yang berubah.`,
  backToApp: ['Return to the app', 'Kembali ke aplikasi'],
});
