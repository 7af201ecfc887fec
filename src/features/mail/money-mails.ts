import { account, desk, type Mail, mail } from './parts.ts';

/** Receipts, and emails about second payments and debts. */
export const moneyMails = {
  receipt: mail(
    account,
    ['Your receipt from {brand}', 'Bukti transaksi Anda dari {brand}'],
    ['You asked for this receipt at {brand}.', 'Anda meminta bukti transaksi ini di {brand}.'],
  ),
  money_alarm: mail(
    desk,
    ['{count} new cases about money at {brand}', '{count} kasus baru tentang uang di {brand}'],
    `New at {brand}, and not explained yet: {cases}.
    Baru di {brand}, dan belum terjelaskan: {cases}.`,
    `The administration page lists each with its age and what can be done. A case is reported once.
    Halaman administrasi mencantumkan masing-masing beserta umurnya dan apa yang dapat dilakukan. Setiap kasus dilaporkan satu kali.`,
  ),
  second_payment: mail(
    account,
    ['A payment arrived twice at {brand}', 'Satu pembayaran masuk dua kali di {brand}'],
    `We received another payment for a deposit at {brand} that was already credited. The money is safe: we credit it to your wallet, or give it back the way you paid, and write to you then.
    Kami menerima pembayaran lain untuk setoran di {brand} yang sudah dikreditkan. Uang ini aman: kami mengkreditkannya ke dompet Anda, atau mengembalikannya lewat cara Anda membayar, lalu mengabari Anda.`,
    `There is nothing to do. If you want one of the two, contact support.
    Tidak ada yang perlu dilakukan. Jika Anda menginginkan salah satunya, hubungi layanan bantuan.`,
  ),
  second_payment_credited: mail(
    account,
    ['A second payment was credited at {brand}', 'Pembayaran kedua dikreditkan di {brand}'],
    `The second payment for one of your deposits at {brand} is now in your wallet, without a fee.
    Pembayaran kedua untuk salah satu setoran Anda di {brand} kini ada di dompet Anda, tanpa biaya.`,
    `There is nothing to do.
    Tidak ada yang perlu dilakukan.`,
  ),
  second_payment_returned: mail(
    account,
    ['A second payment is given back by {brand}', 'Pembayaran kedua dikembalikan oleh {brand}'],
    `The second payment for one of your deposits at {brand} goes back the way you paid. That can take some days.
    Pembayaran kedua untuk salah satu setoran Anda di {brand} dikembalikan lewat cara Anda membayar. Ini dapat memakan beberapa hari.`,
    `If it has not arrived after two weeks, contact support.
    Jika belum sampai setelah dua minggu, hubungi layanan bantuan.`,
  ),
  wallet_debt: mail(
    account,
    ['Your wallet at {brand} has a debt', 'Dompet Anda di {brand} berutang'],
    `A payment for one of your deposits at {brand} was refunded, cancelled or charged back. Your wallet no longer had all of it, so what was missing is a debt.
    Pembayaran untuk salah satu setoran Anda di {brand} dikembalikan atau dibatalkan. Dompet Anda tidak lagi memiliki seluruhnya, jadi kekurangannya menjadi utang.`,
    `The money that comes in next settles it first. Until then, withdrawals that were not sent yet wait.
    Uang yang masuk berikutnya melunasi utang itu dulu. Sampai saat itu, penarikan yang belum dikirim menunggu.`,
    `If you did not ask for your money back, contact support.
    Jika Anda tidak meminta uang Anda kembali, hubungi layanan bantuan.`,
  ),
  payment_reversed: mail(
    account,
    ['A payment to you was reversed at {brand}', 'Pembayaran kepada Anda dibatalkan di {brand}'],
    `The operator of {brand} reversed a payment that you had received. The money has left your wallet.
    Pengelola {brand} membatalkan pembayaran yang pernah Anda terima. Uangnya sudah keluar dari dompet Anda.`,
    `If you do not know why, contact support and name the reference.
    Jika Anda tidak tahu sebabnya, hubungi layanan bantuan dan sebutkan nomor referensinya.`,
  ),
  payment_returned: mail(
    account,
    ['A payment of yours was reversed at {brand}', 'Pembayaran Anda dibatalkan di {brand}'],
    `The operator of {brand} reversed a payment that you had made. All of it is back in your wallet, with the fees.
    Pengelola {brand} membatalkan pembayaran yang pernah Anda lakukan. Semuanya sudah kembali ke dompet Anda, beserta biayanya.`,
    `There is nothing to do.
    Tidak ada yang perlu dilakukan.`,
  ),
} as const satisfies Record<string, Mail>;
