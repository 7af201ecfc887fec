import { catalogue } from '../../ui/locale.ts';

/** The page on which a person lets an app act for them. */
export const authorizeTexts = catalogue({
  en: {
    title: 'Allow access?',
    asks: 'wants to act for {pid}',
    unchecked: 'This app is new and not checked',
    new: 'This app is new',
    knowHost: 'Anyone can choose its name. Allow access only if you know {host}.',
    answerGoesTo: 'Your answer goes to',
    accessIsFor: 'It will use this access at',
    may: 'It may:',
    allow: 'Allow',
    deny: 'Deny',
    anotherAccount: 'Use another account',
    takeBack: 'You can remove this access at any time.',
    onTheWay: 'Back to the app',
    onTheWayText: 'Taking you to {origin}.',
    goOn: 'Continue',
    backToApp: 'Cancel and return to the app',
  },
  id: {
    title: 'Izinkan akses?',
    asks: 'ingin bertindak untuk {pid}',
    unchecked: 'Aplikasi ini baru dan belum diperiksa',
    new: 'Aplikasi ini baru',
    knowHost: 'Siapa pun bisa memilih namanya. Izinkan akses hanya jika Anda mengenal {host}.',
    answerGoesTo: 'Jawaban Anda dikirim ke',
    accessIsFor: 'Akses ini akan dipakai di',
    may: 'Aplikasi ini dapat:',
    allow: 'Izinkan',
    deny: 'Tolak',
    anotherAccount: 'Gunakan akun lain',
    takeBack: 'Anda bisa menghapus akses ini kapan saja.',
    onTheWay: 'Kembali ke aplikasi',
    onTheWayText: 'Membawa Anda ke {origin}.',
    goOn: 'Lanjutkan',
    backToApp: 'Batal dan kembali ke aplikasi',
  },
});

/** What each scope lets an app do, in words. */
export const scopeTexts = catalogue({
  en: {
    openid: 'see your PID',
    profile: 'see your name and language',
    email: 'see your email address',
    offline_access: 'stay connected while you are not using it',
    'wallet:read': 'see your wallet, its balance and its transactions',
    'fiat:deposit': 'start deposits into your wallet, and see those it started',
    'fiat:transfer': 'ask you for payments from your wallet, and make payments within the limits you set',
    'fiat:refund': 'refund payments that you received through it',
    'fiat:read': 'see the payments and deposits that it made',
  },
  id: {
    openid: 'melihat PID Anda',
    profile: 'melihat nama dan bahasa Anda',
    email: 'melihat alamat email Anda',
    offline_access: 'tetap terhubung saat Anda tidak memakainya',
    'wallet:read': 'melihat dompet Anda, saldonya, dan mutasinya',
    'fiat:deposit': 'membuat setoran ke dompet Anda, dan melihat setoran yang dibuatnya',
    'fiat:transfer':
      'meminta pembayaran dari dompet Anda, dan melakukan pembayaran dalam batas yang Anda tetapkan',
    'fiat:refund': 'mengembalikan pembayaran yang Anda terima melaluinya',
    'fiat:read': 'melihat pembayaran dan setoran yang dibuatnya',
  },
});
