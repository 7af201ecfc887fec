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
  knowHost: `Anyone can choose its name. Continue only if you know {host}.
    Siapa pun bisa memilih namanya. Lanjutkan hanya jika Anda mengenal {host}.`,
  notTaken: `The app did not get your sign-in, because the browser has separated this window from it. Close this window and try again in the app.
    Aplikasi tidak menerima proses masuk Anda karena browser memisahkan jendela ini darinya. Tutup jendela ini, lalu coba lagi dari aplikasi.`,
  closeWindow: ['You can close this window and return to', 'Anda dapat menutup jendela ini dan kembali ke'],
  timeLeft: ['This request ends in {time}.', 'Permintaan ini berakhir dalam {time}.'],
  soonOver: ['30 seconds left.', 'Sisa 30 detik.'],
  timeOver: `Time is up. Start again in the app. Nothing was changed.
    Waktu habis. Mulai lagi dari aplikasi. Tidak ada yang berubah.`,
  backToApp: ['Return to the app', 'Kembali ke aplikasi'],
});

/** The texts of the approval popup. */
export const approvalTexts = catalogue({
  title: ['Approve this payment?', 'Setujui pembayaran ini?'],
  asks: ['asks for a payment from your wallet.', 'meminta pembayaran dari dompet Anda.'],
  knowHost: `Anyone can choose its name. Pay only if you know {host}.
    Siapa pun bisa memilih namanya. Bayar hanya jika Anda mengenal {host}.`,
  checkPid: `Names can look alike. The PID is unique, so check it.
    Nama bisa mirip, tetapi PID selalu unik. Periksa dengan teliti.`,
  amount: ['Amount', 'Jumlah'],
  fee: ['Fee', 'Biaya'],
  receives: ['Recipient gets', 'Diterima penerima'],
  balanceAfter: ['Balance after payment', 'Saldo setelah pembayaran'],
  memo: ['Message', 'Pesan'],
  details: ['Details', 'Rincian'],
  app: ['App', 'Aplikasi'],
  from: ['From', 'Dari'],
  inquiry: ['Request number', 'Nomor permintaan'],
  until: ['Valid until', 'Berlaku sampai'],
  approve: ['Approve {amount}', 'Setujui {amount}'],
  deny: ['Deny', 'Tolak'],
  holdFirst: `The app holds this amount first. It can take at most this much within 7 days; the rest becomes available again.
    Aplikasi menahan jumlah ini lebih dulu. Dalam 7 hari aplikasi dapat mengambil paling banyak sejumlah ini; sisanya tersedia lagi bagi Anda.`,
  escapeDenies: ['Press Escape to deny.', 'Tekan Escape untuk menolak.'],
  holdsNothing: `The amount is held when the app receives your answer.
    Jumlah ini ditahan setelah aplikasi menerima jawaban Anda.`,
  movesNothing: `The payment is made when the app receives your answer.
    Pembayaran dilakukan setelah aplikasi menerima jawaban Anda.`,
  signInFirst: `Sign in as {pid} to see the payment request.
    Masuk sebagai {pid} untuk melihat permintaan pembayaran ini.`,
  signInUnnamed: `To see the payment request, sign in with the account that was signed in when this payment started.
    Untuk melihat permintaan pembayaran ini, masuk dengan akun yang dipakai saat pembayaran ini dimulai.`,
  otherTitle: ['Another account is signed in', 'Anda masuk dengan akun lain'],
  otherText: `You are signed in as {acting}. This payment is from the wallet of {payer}.
    Anda masuk sebagai {acting}. Pembayaran ini memakai dompet {payer}.`,
  otherUnnamed: `You are signed in as {acting}. This payment is from the wallet of the account that was signed in when it started.
    Anda masuk sebagai {acting}. Pembayaran ini memakai dompet akun yang dipakai saat pembayaran ini dimulai.`,
  signInAs: ['Sign in as {pid}', 'Masuk sebagai {pid}'],
  lowTitle: ['Your balance is too low', 'Saldo Anda tidak cukup'],
  lowText: `Your wallet has {balance}. This payment needs {missing} more.
    Saldo Anda {balance}. Masih kurang {missing} untuk pembayaran ini.`,
  topUp: ['Top up {amount}', 'Isi saldo {amount}'],
  topUpHint: `Top up in a new tab. This window continues when the money is there.
    Isi saldo di tab baru. Jendela ini berlanjut setelah uangnya masuk.`,
  checkAgain: ['Check again', 'Periksa lagi'],
  ledgerTitle: ['Payments are paused', 'Pembayaran dihentikan sementara'],
  ledgerText: `You cannot pay at the moment. Try again later.
    Saat ini Anda tidak dapat membayar. Coba lagi nanti.`,
  walletTitle: ['Your wallet is frozen', 'Dompet Anda dibekukan'],
  walletText: `You cannot pay from it. Contact support.
    Anda tidak dapat membayar dari dompet ini. Hubungi layanan bantuan.`,
  noWalletTitle: ['You had no wallet when the app asked', 'Anda belum punya dompet saat aplikasi meminta'],
  noWalletText: `Open one, then start again in the app.
    Buka dompet, lalu mulai lagi dari aplikasi.`,
  ownWalletTitle: ['This would pay yourself', 'Ini pembayaran ke diri sendiri'],
  ownWalletText: `The recipient is you. Choose another one in the app.
    Penerimanya adalah Anda sendiri. Pilih penerima lain di aplikasi.`,
  stepUpTitle: ['Sign in again for this payment', 'Masuk lagi untuk pembayaran ini'],
  stepUpText: `You chose to sign in again for payments above {limit}.
    Anda memilih untuk masuk lagi sebelum pembayaran di atas {limit}.`,
  noScript: `Passkeys need JavaScript. Turn it on in your browser, and reload this page.
    Passkey memerlukan JavaScript. Aktifkan di browser Anda, lalu muat ulang halaman ini.`,
  approvedTitle: ['You approved the payment', 'Anda menyetujui pembayaran'],
  deniedTitle: ['You denied the payment', 'Anda menolak pembayaran'],
  changedTitle: ['The payment has changed', 'Pembayaran ini telah berubah'],
  changedText: `The payment that the app asked for is no longer possible. Nothing was paid.
    Pembayaran yang diminta aplikasi tidak dapat dilakukan lagi. Tidak ada uang yang dibayarkan.`,
  tamperedTitle: ['This request was altered', 'Permintaan ini telah diubah'],
  tamperedText: `Your answer does not match what this page showed. Nothing was paid.
    Jawaban Anda tidak sesuai dengan yang ditampilkan halaman ini. Tidak ada uang yang dibayarkan.`,
  expiredTitle: ['This request has expired', 'Permintaan ini sudah kedaluwarsa'],
  lapsedTitle: ['The approval was not used in time', 'Persetujuan tidak dipakai tepat waktu'],
  nothingPaid: `Nothing was paid. Start again in the app.
    Tidak ada uang yang dibayarkan. Mulai lagi dari aplikasi.`,
});
