import { catalogue } from '../../lib/texts.ts';

/** The apps that a person has allowed to act for them. */
export const grantTexts = catalogue({
  heading: ['Apps you have allowed', 'Aplikasi yang Anda izinkan'],
  lead: `What each app may do for you. You can remove its access at any time.
    Apa yang boleh dilakukan setiap aplikasi untuk Anda. Anda bisa menghapus aksesnya kapan saja.`,
  empty: ['You have not allowed any app', 'Anda belum mengizinkan aplikasi apa pun'],
  emptyAdvice: `Apps that you give access to your account appear here.
    Aplikasi yang Anda beri akses ke akun Anda muncul di sini.`,
  developer: ['Are you a developer?', 'Anda pengembang?'],
  ownApps: ['Your own apps', 'Aplikasi Anda sendiri'],
  all: ['All apps you have allowed', 'Semua aplikasi yang Anda izinkan'],
  may: ['It may:', 'Aplikasi ini dapat:'],
  usedAt: ['Also at {resources}', 'Juga di {resources}'],
  allowedAt: ['Allowed at {hosts}', 'Diizinkan di {hosts}'],
  since: ['Allowed {at}', 'Diizinkan {at}'],
  used: ['Last used {at}', 'Terakhir dipakai {at}'],
  neverUsed: ['Not used yet', 'Belum pernah dipakai'],
  until: ['Ends {at}', 'Berakhir {at}'],
  change: ['Limits', 'Batas'],
  changeNamed: ['Limits of {app}', 'Batas {app}'],
  limits: ['Limits', 'Batas'],
  asks: [
    '{app} asks you before every payment, because you have set no amount.',
    '{app} bertanya sebelum setiap pembayaran, karena Anda belum menetapkan jumlah.',
  ],
  pays: [
    '{app} may take up to {amounts} without asking you.',
    '{app} boleh mengambil maksimal {amounts} tanpa bertanya kepada Anda.',
  ],
  eachPayment: ['{amount} per payment', '{amount} per pembayaran'],
  eachMonth: ['{amount} a month', '{amount} per bulan'],
  eachPeriod: ['{amount} every {days} days', '{amount} setiap {days} hari'],
  altogether: ['{amount} in total', '{amount} seluruhnya'],
  anyNumber: ['The number of payments is not limited.', 'Jumlah pembayarannya tidak dibatasi.'],
  uses: ['At most {uses} payments.', 'Maksimal {uses} pembayaran.'],
  onlyTo: ['Only to {payees}.', 'Hanya kepada {payees}.'],
  fee: [
    'The app’s own fee is at most {fee} per payment.',
    'Biaya aplikasi sendiri maksimal {fee} per pembayaran.',
  ],
  emptyHint: ['An empty field sets no limit.', 'Kolom kosong berarti tanpa batas.'],
  advanced: ['Advanced', 'Lanjutan'],
  endLead: `When this access ends. An empty field means never.
    Kapan akses ini berakhir. Kolom kosong berarti tidak pernah.`,
  spent: `Paid without asking: {total} in total, {period} in this period, {uses} payments.
    Dibayar tanpa bertanya: total {total}, {period} dalam periode ini, {uses} pembayaran.`,
  perTransfer: ['Per payment (IDR)', 'Per pembayaran (Rp)'],
  perMonth: ['Per month (IDR)', 'Per bulan (Rp)'],
  perPeriod: ['Every {days} days (IDR)', 'Setiap {days} hari (Rp)'],
  periodDays: ['Length of a month, in days', 'Lama satu bulan, dalam hari'],
  total: ['In total (IDR)', 'Seluruhnya (Rp)'],
  maxUses: ['Number of payments', 'Jumlah pembayaran'],
  feePercent: ['The app’s fee (% of a payment)', 'Biaya aplikasi (% dari pembayaran)'],
  feeFixed: ['The app’s fixed fee (IDR per payment)', 'Biaya tetap aplikasi (Rp per pembayaran)'],
  payees: ['Only to', 'Hanya kepada'],
  payeesHint: `PIDs such as ayu@pid, one per line, at most 50.
    PID seperti ayu@pid, satu per baris, maksimal 50.`,
  expiresAt: ['Last day', 'Hari terakhir'],
  save: ['Save', 'Simpan'],
  end: ['Remove access', 'Hapus akses'],
  endNamed: ['Remove access of {app}', 'Hapus akses {app}'],
  endTitle: ['Remove the access of {app}?', 'Hapus akses {app}?'],
  endText: `It loses access at once. It can ask you again later.
    Aksesnya langsung hilang. Aplikasi itu bisa memintanya lagi nanti.`,
  badNumber: `Enter a whole number of at least 1 that is not too large
    Masukkan bilangan bulat minimal 1 yang tidak terlalu besar`,
  badFee: ['Enter 0, or an amount in whole rupiah', 'Masukkan 0, atau jumlah rupiah tanpa desimal'],
  badPercent: [
    'Enter a percentage from 0 to 100, such as 0.7',
    'Masukkan persentase dari 0 sampai 100, misalnya 0,7',
  ],
  badPid: ['{entry} is not a PID', '{entry} bukan PID'],
  tooMany: ['Enter at most 50', 'Masukkan maksimal 50'],
  repeated: ['This entry appears twice', 'Entri ini muncul dua kali'],
  badDate: ['Enter a day in the future', 'Masukkan tanggal di masa depan'],
});
