import { catalogue } from '../../lib/texts.ts';

/** The page on which a person lets an app act for them. */
export const authorizeTexts = catalogue({
  title: ['Allow access?', 'Izinkan akses?'],
  asks: ['wants to act for {pid}', 'ingin bertindak untuk {pid}'],
  unchecked: ['This app is new and not checked', 'Aplikasi ini baru dan belum diperiksa'],
  new: ['This app is new', 'Aplikasi ini baru'],
  knowHost: `Anyone can choose its name. Allow access only if you know {host}.
    Siapa pun bisa memilih namanya. Izinkan akses hanya jika Anda mengenal {host}.`,
  answerGoesTo: ['Your answer goes to', 'Jawaban Anda dikirim ke'],
  accessIsFor: ['It will use this access at', 'Akses ini akan dipakai di'],
  may: ['It may:', 'Aplikasi ini dapat:'],
  allow: ['Allow', 'Izinkan'],
  deny: ['Deny', 'Tolak'],
  anotherAccount: ['Use another account', 'Gunakan akun lain'],
  takeBack: ['You can remove this access at any time.', 'Anda bisa menghapus akses ini kapan saja.'],
  onTheWay: ['Back to the app', 'Kembali ke aplikasi'],
  onTheWayText: ['Taking you to {origin}.', 'Membawa Anda ke {origin}.'],
  goOn: ['Continue', 'Lanjutkan'],
  backToApp: ['Cancel and return to the app', 'Batal dan kembali ke aplikasi'],
});

/** What each scope lets an app do, in words. */
export const scopeTexts = catalogue({
  openid: ['see your PID', 'melihat PID Anda'],
  profile: ['see your name and language', 'melihat nama dan bahasa Anda'],
  email: ['see your email address', 'melihat alamat email Anda'],
  offline_access: ['stay connected while you are not using it', 'tetap terhubung saat Anda tidak memakainya'],
  'wallet:read': `see your wallet, its balance and its transactions
    melihat dompet Anda, saldonya, dan mutasinya`,
  'fiat:deposit': `start deposits into your wallet, and see those it started
    membuat setoran ke dompet Anda, dan melihat setoran yang dibuatnya`,
  'fiat:transfer': `ask you for payments from your wallet, and make payments within the limits you set
    meminta pembayaran dari dompet Anda, dan melakukan pembayaran dalam batas yang Anda tetapkan`,
  'fiat:refund': `refund payments that you received through it
    mengembalikan pembayaran yang Anda terima melaluinya`,
  'fiat:read': `see the payments and deposits that it made
    melihat pembayaran dan setoran yang dibuatnya`,
});
