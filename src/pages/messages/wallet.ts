import { catalogue } from '../../lib/texts.ts';

/** The wallet: its balance, its transactions, and sending money. */
export const walletTexts = catalogue({
  heading: ['Balance', 'Saldo'],
  owed: ['You owe {amount}', 'Anda berutang {amount}'],
  owedAdvice: `A card payment was taken back after the money was spent. The next money that comes in pays this first.
    Pembayaran kartu ditarik kembali setelah uangnya terpakai. Uang masuk berikutnya dipakai untuk melunasinya lebih dulu.`,
  held: `{amount} of this is reserved for pending payments. Available: {available}
    {amount} di antaranya ditahan untuk transaksi yang masih diproses. Saldo tersedia: {available}`,
  holdsHeading: ['Held by apps', 'Ditahan oleh aplikasi'],
  holdsLead: `An app can take at most this much. What it does not take becomes available again on the day shown.
    Aplikasi dapat mengambil paling banyak jumlah ini. Yang tidak diambil tersedia lagi pada tanggal yang tertera.`,
  heldFor: ['for {pid}', 'untuk {pid}'],
  heldUntil: ['until {at}', 'sampai {at}'],
  limits: ['Limits', 'Batas'],
  levelVerified: `You are verified. Fees count towards the limits.
    Anda terverifikasi. Biaya ikut dihitung.`,
  levelUnverified: `You are not verified. Fees count towards the limits.
    Anda belum terverifikasi. Biaya ikut dihitung.`,
  limitDays: ['Days and months are in Jakarta time.', 'Hari dan bulan menurut waktu Jakarta.'],
  limitPayment: ['One payment', 'Satu pembayaran'],
  limitHeld: ['Held in the wallet', 'Saldo di dompet'],
  limitDay: ['Sent today', 'Keluar hari ini'],
  limitMonth: ['Sent this month', 'Keluar bulan ini'],
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
  request: ['Request money', 'Minta uang'],
  sendLead: `Available: {available}. You will see the recipient and the fee before anything is sent.
    Saldo tersedia: {available}. Anda akan melihat penerima dan biayanya sebelum uang dikirim.`,
  to: ['To', 'Kepada'],
  toHint: ['A PID, such as ayu@pid.', 'PID, misalnya ayu@pid.'],
  amount: ['Amount', 'Jumlah'],
  amountHint: ['Whole rupiah.', 'Rupiah tanpa desimal.'],
  sendAll: ['Send all', 'Kirim semua'],
  recent: ['Recent people', 'Penerima terakhir'],
  filledIn: [
    'A link filled in this form. Check who gets the money, and how much.',
    'Formulir ini diisi oleh sebuah tautan. Periksa penerima dan jumlahnya.',
  ],
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
  valid: ['This page expires {at}.', 'Halaman ini berakhir {at}.'],
  confirm: ['Send {amount}', 'Kirim {amount}'],
  missing: ['Your balance is {missing} too low', 'Saldo Anda kurang {missing}'],
  tooLittle: ['Your balance is too low', 'Saldo Anda tidak cukup'],
  tooLittleAdvice: `You need {total}, but only {available} is available. Nothing was sent.
    Anda memerlukan {total}, tetapi saldo tersedia hanya {available}. Tidak ada uang yang dikirim.`,
  gone: ['This payment can no longer be sent', 'Pembayaran ini tidak dapat dikirim lagi'],
  goneAdvice: `It expired after five minutes, or it was cancelled. Nothing was sent.
    Sudah lewat lima menit, atau sudah dibatalkan. Tidak ada uang yang dikirim.`,
  again: ['Start again', 'Mulai lagi'],
  sent: ['Money sent', 'Uang terkirim'],
  toWallet: ['Back to the wallet', 'Kembali ke dompet'],
  statement: ['Transactions', 'Riwayat transaksi'],
  zone: ['Days and times are in {zone}.', 'Hari dan jam menurut {zone}.'],
  today: ['Today', 'Hari ini'],
  yesterday: ['Yesterday', 'Kemarin'],
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
  when: ['When', 'Waktu'],
  deposit: ['Top-up', 'Isi saldo'],
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

/** One transaction, and its refund. */
export const movementTexts = catalogue({
  receipt: ['Receipt', 'Bukti transaksi'],
  from: ['From', 'Dari'],
  received: ['You received', 'Anda menerima'],
  paid: ['You paid', 'Anda membayar'],
  app: ['Through', 'Lewat'],
  state: ['Status', 'Status'],
  completed: ['Completed', 'Selesai'],
  reversed: ['Reversed', 'Dibatalkan'],
  refunded: ['Refunded in full', 'Dikembalikan seluruhnya'],
  refundedPart: ['{amount} refunded', '{amount} dikembalikan'],
  refundOf: ['Refund of', 'Pengembalian dari'],
  balanceAfter: ['Balance after', 'Saldo setelahnya'],
  reference: ['Reference', 'Nomor referensi'],
  copy: ['Copy', 'Salin'],
  print: ['Print', 'Cetak'],
  mail: ['Send by email', 'Kirim ke email'],
  share: ['Share', 'Bagikan'],
  shared: ['{what}: {amount}. {at}. Reference: {id}', '{what}: {amount}. {at}. Nomor referensi: {id}'],
  deposit: ['Show the top-up', 'Lihat isi saldo'],
  refund: ['Refund', 'Kembalikan'],
  refundTitle: ['Refund this payment', 'Kembalikan pembayaran ini'],
  refundLead: ['The money leaves your wallet at once.', 'Uang langsung keluar dari dompet Anda.'],
  refundFees: ['Fees are not returned.', 'Biaya tidak dikembalikan.'],
  refundReview: ['Review and refund', 'Periksa dan kembalikan'],
  refundAmount: ['Refund {amount}', 'Kembalikan {amount}'],
  refundChange: ['Change', 'Ubah'],
  refundMost: ['At most {amount}.', 'Maksimal {amount}.'],
});

/** A link with which others can send money, and links that are invalid. */
export const requestTexts = catalogue({
  title: ['Request money', 'Minta uang'],
  lead: [
    'Whoever opens this link or scans the code can send you money.',
    'Siapa pun yang membuka tautan atau memindai kode ini dapat mengirim uang kepada Anda.',
  ],
  leadAmount: [
    'Whoever opens this link or scans the code can send you {amount}.',
    'Siapa pun yang membuka tautan atau memindai kode ini dapat mengirim {amount} kepada Anda.',
  ],
  code: ['QR code of the link', 'Kode QR tautan'],
  copy: ['Copy the link', 'Salin tautan'],
  amountHint: [
    'Whole rupiah. Empty: the sender decides.',
    'Rupiah tanpa desimal. Kosong: pengirim yang menentukan.',
  ],
  memoHint: ['The sender sees it.', 'Pengirim melihatnya.'],
  make: ['Make the link', 'Buat tautan'],
  badTitle: ['This payment link does not work', 'Tautan pembayaran ini tidak berfungsi'],
  badAmount: ['Its amount cannot be sent', 'Jumlahnya tidak dapat dikirim'],
  badMemo: ['Its message is not allowed', 'Pesannya tidak diizinkan'],
  badAdvice: [
    'Nothing was filled in or sent. Ask for a new link, or fill in the form yourself.',
    'Tidak ada yang diisi atau dikirim. Mintalah tautan baru, atau isi formulirnya sendiri.',
  ],
});

/** Topping up the wallet, and a deposit's progress. */
export const depositTexts = catalogue({
  lead: `You pay through {provider}. Before you pay, you will see how much your wallet receives.
    Anda membayar lewat {provider}. Sebelum membayar, Anda akan melihat jumlah yang masuk ke dompet.`,
  noGateway: ['Top-ups are not available here', 'Isi saldo belum tersedia di sini'],
  noGatewayAdvice: `The operator of this service has not connected a payment provider yet.
    Pengelola layanan ini belum menghubungkan penyedia pembayaran.`,
  amount: ['Amount', 'Jumlah'],
  amountHint: ['Whole rupiah, at least 10,000.', 'Rupiah tanpa desimal, minimal 10.000.'],
  badAmount: `Enter an amount in whole rupiah, such as 50000
    Masukkan jumlah rupiah tanpa desimal, misalnya 50000`,
  method: ['Pay with', 'Bayar dengan'],
  auto: ['Choose on the payment page', 'Pilih di halaman pembayaran'],
  qris: ['QRIS', 'QRIS'],
  va: ['Virtual account', 'Virtual account'],
  card: ['Card', 'Kartu'],
  ewallet: ['E-wallet', 'Dompet elektronik'],
  next: ['Continue', 'Lanjutkan'],
  title: ['Top up {amount}', 'Isi saldo {amount}'],
  pays: ['You pay', 'Anda membayar'],
  fee: ['Fee', 'Biaya'],
  appFee: ['Fee of the app that asks for this', 'Biaya aplikasi yang meminta ini'],
  ownFee: ['Other fees', 'Biaya lain'],
  noFee: ['None', 'Tidak ada'],
  arrives: ['Your wallet receives', 'Masuk ke dompet Anda'],
  paid: ['You paid', 'Anda membayar'],
  arrived: ['Your wallet received', 'Sudah masuk ke dompet Anda'],
  provider: ['Provider', 'Penyedia'],
  ends: ['This payment closes {at}.', 'Pembayaran ini ditutup {at}.'],
  pay: ['Pay through {provider}', 'Bayar lewat {provider}'],
  check: ['Check again', 'Periksa lagi'],
  cancel: ['Cancel this top-up', 'Batalkan isi saldo ini'],
  again: ['Top up again', 'Isi saldo lagi'],
  twice: ['A payment of {amount} arrived twice', 'Pembayaran {amount} masuk dua kali'],
  twiceAdvice: `The money is safe. We credit it to your wallet or give it back the way you paid, and write to you then.
    Uang ini aman. Kami mengkreditkannya ke dompet Anda atau mengembalikannya lewat cara Anda membayar, lalu mengabari Anda.`,
  deposits: ['Top-ups', 'Isi saldo'],
  what: ['Amount', 'Jumlah'],
  state: ['Status', 'Status'],
  when: ['When', 'Waktu'],
  creating: ['In preparation', 'Sedang disiapkan'],
  creatingAdvice: `The payment page is not ready yet. Check again in a minute.
    Halaman pembayaran belum siap. Periksa lagi sebentar lagi.`,
  pending: ['Waiting for your payment', 'Menunggu pembayaran Anda'],
  pendingAdvice: `If you have paid, the money arrives as soon as the provider confirms it.
    Jika Anda sudah membayar, uang masuk setelah penyedia mengonfirmasinya.`,
  credited: ['In your wallet', 'Sudah di dompet Anda'],
  creditedAdvice: `The money was credited only once, even if the provider reports it again.
    Uang hanya dikreditkan satu kali, meskipun penyedia melaporkannya lagi.`,
  expired: ['Expired', 'Kedaluwarsa'],
  expiredAdvice: `Nothing was paid. If you pay anyway, the money still reaches your wallet.
    Belum ada yang dibayar. Jika Anda tetap membayar, uangnya masuk ke dompet Anda.`,
  failed: ['Failed', 'Gagal'],
  failedAdvice: `The payment did not go through. If you were charged, the money still reaches your wallet.
    Pembayaran tidak berhasil. Jika uang Anda sudah terpotong, uangnya tetap masuk ke dompet Anda.`,
  review: ['Under review', 'Sedang diperiksa'],
  reviewAdvice: `This payment does not match the request. The operator is checking it.
    Pembayaran ini tidak sesuai dengan permintaan. Pengelola sedang memeriksanya.`,
  reversed: ['Refunded', 'Dikembalikan'],
  reversedAdvice: `The provider refunded you, so the money was taken from your wallet.
    Penyedia mengembalikan uang kepada Anda, jadi saldo dompet dikurangi.`,
});

/** Withdrawals to a bank account: the form, the confirmation and the wallet's list. */
export const withdrawalTexts = catalogue({
  heading: ['Withdrawals', 'Penarikan'],
  withdraw: ['Withdraw to a bank account', 'Tarik ke rekening bank'],
  title: ['Withdraw money', 'Tarik uang'],
  lead: `Available: {available}. You will see the account holder and the fee before anything is sent.
    Saldo tersedia: {available}. Anda akan melihat pemilik rekening dan biayanya sebelum uang dikirim.`,
  bank: ['Bank', 'Bank'],
  account: ['Account number', 'Nomor rekening'],
  accountHint: ['Digits only.', 'Hanya angka.'],
  badAccount: ['Enter 5 to 20 digits', 'Masukkan 5 sampai 20 angka'],
  tooSmall: ['The minimum withdrawal is {amount}', 'Penarikan minimal {amount}'],
  confirmTitle: ['Review and withdraw', 'Periksa dan tarik'],
  holder: ['Account holder', 'Pemilik rekening'],
  checkHolder: `The name that the bank has. If you do not expect it, do not continue.
    Nama menurut bank. Jika bukan orang yang Anda maksud, jangan lanjutkan.`,
  destination: ['Account', 'Rekening'],
  total: ['You pay', 'Anda membayar'],
  confirm: ['Withdraw {amount}', 'Tarik {amount}'],
  gone: ['This withdrawal can no longer be confirmed', 'Penarikan ini tidak dapat dikonfirmasi lagi'],
  goneAdvice: `It expired after five minutes, or it was already confirmed. Your wallet shows which.
    Sudah lewat lima menit, atau sudah dikonfirmasi. Periksa di dompet Anda.`,
  held: ['Reserved; sent within minutes', 'Ditahan; dikirim dalam beberapa menit'],
  heldForDebt: `Reserved; waits until the debt of your wallet is settled. If you cancel it, the money settles the debt first.
    Ditahan; menunggu sampai utang dompet Anda lunas. Jika dibatalkan, uangnya melunasi utang itu dulu.`,
  submitted: ['On its way to the bank', 'Sedang dikirim ke bank'],
  paid: ['Paid', 'Sudah dibayar'],
  failed: ['Failed; the money is back in your wallet', 'Gagal; uangnya kembali ke dompet Anda'],
  cancelled: ['Cancelled; the money is back in your wallet', 'Dibatalkan; uangnya kembali ke dompet Anda'],
  returned: `Returned by the bank; the amount is back in your wallet
    Dikembalikan oleh bank; jumlahnya kembali ke dompet Anda`,
  cancel: ['Cancel', 'Batalkan'],
  cancelOf: ['Cancel the withdrawal of {amount}', 'Batalkan penarikan {amount}'],
  status: ['Status', 'Status'],
});
