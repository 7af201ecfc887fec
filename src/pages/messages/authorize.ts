import { catalogue } from '../../ui/locale.ts';

/** The page on which a person lets an app act for them. */
export const authorizeTexts = catalogue({
  en: {
    title: 'Allow access?',
    asks: 'asks to act for {pid}',
    answerGoesTo: 'Your answer goes to',
    may: 'It may:',
    allow: 'Allow',
    deny: 'Deny',
    anotherAccount: 'Use another account',
    takeBack: 'You can take this back at any time.',
    onTheWay: 'Back to the app',
    onTheWayText: 'You are on your way to {origin}.',
    goOn: 'Continue',
    backToApp: 'Cancel and return to the app',
  },
  id: {
    title: 'Izinkan akses?',
    asks: 'meminta izin bertindak untuk {pid}',
    answerGoesTo: 'Jawaban Anda dikirim ke',
    may: 'Aplikasi ini dapat:',
    allow: 'Izinkan',
    deny: 'Tolak',
    anotherAccount: 'Gunakan akun lain',
    takeBack: 'Anda dapat mencabutnya kapan saja.',
    onTheWay: 'Kembali ke aplikasi',
    onTheWayText: 'Anda sedang menuju {origin}.',
    goOn: 'Lanjutkan',
    backToApp: 'Batal dan kembali ke aplikasi',
  },
});

/** What each scope lets an app do, in words. */
export const scopeTexts = catalogue({
  en: {
    openid: 'know your PID',
    profile: 'see your name and language',
    email: 'see your email address',
    offline_access: 'stay signed in while you are away',
    'wallet:read': 'see your wallet, its balance and its transactions',
    'fiat:deposit': 'start deposits into your wallet, and see those it started',
    'fiat:transfer': 'ask you for payments from your wallet, and make those that are within limits you set',
    'fiat:refund': 'refund payments that you received through it',
    'fiat:read': 'see the payments and deposits that it made',
  },
  id: {
    openid: 'mengetahui PID Anda',
    profile: 'melihat nama dan bahasa Anda',
    email: 'melihat alamat email Anda',
    offline_access: 'tetap masuk saat Anda tidak ada',
    'wallet:read': 'melihat dompet Anda, saldonya, dan mutasinya',
    'fiat:deposit': 'memulai setoran ke dompet Anda, dan melihat setoran yang dimulainya',
    'fiat:transfer':
      'meminta pembayaran dari dompet Anda, dan melakukan pembayaran dalam batas yang Anda tetapkan',
    'fiat:refund': 'mengembalikan pembayaran yang Anda terima melaluinya',
    'fiat:read': 'melihat pembayaran dan setoran yang dibuatnya',
  },
});
