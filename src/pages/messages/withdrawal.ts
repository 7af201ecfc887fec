import { catalogue } from '../../lib/texts.ts';

/** Money to a bank account: the form, the confirmation and the list of the wallet. */
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
