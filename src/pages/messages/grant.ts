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
  limitsLead: `What the app may pay from your wallet without asking you. Without a limit it asks every time. An empty field means no limit.
    Yang boleh dibayar aplikasi ini dari dompet Anda tanpa bertanya. Tanpa batas, aplikasi selalu bertanya. Kolom kosong berarti tanpa batas.`,
  endLead: `When this access ends. An empty field means never.
    Kapan akses ini berakhir. Kolom kosong berarti tidak pernah.`,
  spent: `Paid without asking: {total} in total, {period} in this period, {uses} payments.
    Dibayar tanpa bertanya: total {total}, {period} dalam periode ini, {uses} pembayaran.`,
  perTransfer: ['Maximum per payment', 'Maksimal per pembayaran'],
  perPeriod: ['Maximum per period', 'Maksimal per periode'],
  periodDays: ['Length of a period in days', 'Lama periode dalam hari'],
  total: ['Maximum in total', 'Maksimal seluruhnya'],
  maxUses: ['Maximum number of payments', 'Jumlah maksimal pembayaran'],
  feeBps: ['Highest fee of the app, as a share', 'Biaya aplikasi tertinggi, sebagai bagian'],
  feeBpsHint: `Hundredths of a percent of each payment: 70 is 0.7%. Empty means none: a higher fee needs your approval.
    Perseratus persen dari setiap pembayaran: 70 berarti 0,7%. Kosong berarti tidak ada: biaya lebih tinggi perlu persetujuan Anda.`,
  feeFixed: ['Highest fixed fee of the app', 'Biaya tetap aplikasi tertinggi'],
  feeFixedHint: `Whole rupiah for each payment, on top of the share. Empty means none.
    Rupiah tanpa desimal per pembayaran, selain bagian tadi. Kosong berarti tidak ada.`,
  payees: ['Only to', 'Hanya kepada'],
  payeesHint: `PIDs such as ayu@pid, one per line, at most 50. Leave empty for anyone.
    PID seperti ayu@pid, satu per baris, maksimal 50. Kosongkan untuk siapa saja.`,
  expiresAt: ['Last day', 'Hari terakhir'],
  amountHint: ['Whole rupiah.', 'Rupiah tanpa desimal.'],
  save: ['Save', 'Simpan'],
  end: ['Remove access', 'Hapus akses'],
  endNamed: ['Remove access of {app}', 'Hapus akses {app}'],
  endTitle: ['Remove the access of {app}?', 'Hapus akses {app}?'],
  endText: `It loses access at once. It can ask you again later.
    Aksesnya langsung hilang. Aplikasi itu bisa memintanya lagi nanti.`,
  badNumber: `Enter a whole number of at least 1 that is not too large
    Masukkan bilangan bulat minimal 1 yang tidak terlalu besar`,
  badFee: ['Enter a whole number that is not too large', 'Masukkan bilangan bulat yang tidak terlalu besar'],
  together: ['Enter both the amount and the days of a period', 'Isi jumlah uang dan jumlah hari periode'],
  badPid: ['{entry} is not a PID', '{entry} bukan PID'],
  tooMany: ['Enter at most 50', 'Masukkan maksimal 50'],
  repeated: ['This entry appears twice', 'Entri ini muncul dua kali'],
  badDate: ['Enter a day in the future', 'Masukkan tanggal di masa depan'],
});
