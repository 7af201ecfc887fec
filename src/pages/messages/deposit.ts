import { catalogue } from '../../lib/texts.ts';

/** Topping up the wallet, and what becomes of a deposit. */
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
  provider: ['Provider', 'Penyedia'],
  ends: ['This payment closes {at}.', 'Pembayaran ini ditutup {at}.'],
  pay: ['Pay through {provider}', 'Bayar lewat {provider}'],
  check: ['Check again', 'Periksa lagi'],
  cancel: ['Cancel this top-up', 'Batalkan isi saldo ini'],
  again: ['Top up again', 'Isi saldo lagi'],
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
