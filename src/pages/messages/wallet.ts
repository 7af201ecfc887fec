import { catalogue } from '../../lib/texts.ts';

/** The wallet: what it holds, what moved, and sending money. */
export const walletTexts = catalogue({
  heading: ['Balance', 'Saldo'],
  owed: ['You owe {amount}', 'Anda berutang {amount}'],
  owedAdvice: `A card payment was taken back after the money was spent. The next money that comes in pays this first.
    Pembayaran kartu ditarik kembali setelah uangnya terpakai. Uang masuk berikutnya dipakai untuk melunasinya lebih dulu.`,
  held: `{amount} of this is reserved for pending payments. Available: {available}
    {amount} di antaranya ditahan untuk transaksi yang masih diproses. Saldo tersedia: {available}`,
  openHeading: ['Open your wallet', 'Buka dompet Anda'],
  openLead: `Send rupiah to any PID, and receive it from anyone. The wallet is free.
    Kirim rupiah ke PID mana pun, dan terima dari siapa saja. Gratis.`,
  open: ['Open the wallet', 'Buka dompet'],
  frozen: ['Your wallet is frozen', 'Dompet Anda dibekukan'],
  frozenAdvice: `You cannot send or receive money until the operator unfreezes it. Your balance is still yours.
    Anda tidak dapat mengirim atau menerima uang sampai pengelola mengaktifkannya lagi. Saldo tetap milik Anda.`,
  paused: `Payments are paused. No money was moved. Please try again later.
    Pembayaran dihentikan sementara. Tidak ada uang yang berpindah. Silakan coba lagi nanti.`,
  send: ['Send money', 'Kirim uang'],
  topUp: ['Top up', 'Isi saldo'],
  sendLead: `Available: {available}. You will see the recipient and the fee before anything is sent.
    Saldo tersedia: {available}. Anda akan melihat penerima dan biayanya sebelum uang dikirim.`,
  to: ['To', 'Kepada'],
  toHint: ['A PID, such as ayu@pid.', 'PID, misalnya ayu@pid.'],
  amount: ['Amount', 'Jumlah'],
  amountHint: ['Whole rupiah.', 'Rupiah tanpa desimal.'],
  memo: ['Message (optional)', 'Pesan (opsional)'],
  memoHint: `The recipient can read it. Up to 140 characters.
    Penerima dapat membacanya. Maksimal 140 karakter.`,
  next: ['Continue', 'Lanjutkan'],
  badAmount: `Enter an amount in whole rupiah, such as 25000
    Masukkan jumlah rupiah tanpa desimal, misalnya 25000`,
  badMemo: `Use at most 140 characters and no invisible ones
    Pakai maksimal 140 karakter, tanpa karakter tak terlihat`,
  confirmTitle: ['Review and send', 'Periksa dan kirim'],
  recipient: ['Recipient', 'Penerima'],
  checkPid: `Anyone can use this name, but only one person has this PID. Check it letter by letter.
    Siapa pun bisa memakai nama ini, tetapi PID ini hanya milik satu orang. Periksa huruf demi huruf.`,
  fee: ['Fee', 'Biaya'],
  noFee: ['None', 'Tidak ada'],
  total: ['You pay', 'Anda membayar'],
  received: ['Recipient gets', 'Diterima penerima'],
  message: ['Message', 'Pesan'],
  valid: ['Valid until {at}.', 'Berlaku sampai {at}.'],
  confirm: ['Send {amount}', 'Kirim {amount}'],
  tooLittle: ['Your balance is too low', 'Saldo Anda tidak cukup'],
  tooLittleAdvice: `You need {total}, but only {available} is available. Nothing was sent.
    Anda memerlukan {total}, tetapi saldo tersedia hanya {available}. Tidak ada uang yang dikirim.`,
  gone: ['This payment can no longer be sent', 'Pembayaran ini tidak dapat dikirim lagi'],
  goneAdvice: `It expired after five minutes, or it was cancelled. Nothing was sent.
    Sudah lewat lima menit, atau sudah dibatalkan. Tidak ada uang yang dikirim.`,
  again: ['Start again', 'Mulai lagi'],
  sent: ['Money sent', 'Uang terkirim'],
  sentAdvice: `It was sent only once, even if you reload this page.
    Uang hanya dikirim satu kali, meskipun halaman ini dimuat ulang.`,
  toWallet: ['Back to the wallet', 'Kembali ke dompet'],
  statement: ['Transactions', 'Riwayat transaksi'],
  statementLead: ['Newest first. Days are in UTC.', 'Dari yang terbaru. Tanggal menurut UTC.'],
  empty: ['No transactions yet', 'Belum ada transaksi'],
  emptyAdvice: `Money that you send or receive appears here.
    Uang yang Anda kirim atau terima muncul di sini.`,
  noneFound: ['No transactions match this filter', 'Tidak ada transaksi yang cocok dengan filter ini'],
  kind: ['Kind', 'Jenis'],
  direction: ['Direction', 'Arah'],
  all: ['All', 'Semua'],
  in: ['In', 'Masuk'],
  out: ['Out', 'Keluar'],
  from: ['From', 'Dari'],
  until: ['Until', 'Sampai'],
  choose: ['Filter or download', 'Filter atau unduh'],
  filter: ['Show', 'Tampilkan'],
  csv: ['Download as CSV', 'Unduh sebagai CSV'],
  csvHint: `Includes every transaction of the chosen days, or of the last 31 days.
    Berisi semua transaksi pada tanggal yang dipilih, atau 31 hari terakhir.`,
  what: ['Transaction', 'Transaksi'],
  change: ['Amount', 'Jumlah'],
  after: ['Balance: {amount}', 'Saldo: {amount}'],
  when: ['When', 'Waktu'],
  deposit: ['Deposit', 'Setoran'],
  transfer: ['Transfer', 'Transfer'],
  refund: ['Refund', 'Pengembalian dana'],
  withdrawal: ['Withdrawal', 'Penarikan'],
  reversal: ['Reversal', 'Pembatalan'],
  sweep: ['App revenue', 'Pendapatan aplikasi'],
  correction: ['Correction', 'Koreksi'],
  debt: ['Debt', 'Utang'],
  transferOut: ['Sent to {who}', 'Dikirim ke {who}'],
  transferIn: ['Received from {who}', 'Diterima dari {who}'],
  refundOut: ['Refunded to {who}', 'Pengembalian dana ke {who}'],
  refundIn: ['Refund from {who}', 'Pengembalian dana dari {who}'],
  withFee: ['with a fee of {fee}', 'dengan biaya {fee}'],
});
