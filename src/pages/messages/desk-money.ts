import { catalogue } from '../../lib/texts.ts';

/** A transaction's page on the admin desk, and reversing it. */
export const deskMoneyTexts = catalogue({
  none: `There is no transaction {id}. Check that the ID is whole.
    Tidak ada transaksi {id}. Periksa apakah ID-nya lengkap.`,
  title: ['Transaction', 'Transaksi'],
  reversalTitle: ['Reversal', 'Pembatalan'],
  id: ['ID', 'ID'],
  kind: ['Kind', 'Jenis'],
  state: ['State', 'Keadaan'],
  from: ['From', 'Dari'],
  to: ['To', 'Ke'],
  fromTo: ['From and to', 'Dari dan ke'],
  amount: ['Amount', 'Jumlah'],
  appFee: ['App fee', 'Biaya aplikasi'],
  platformFee: ['Operator fee', 'Biaya pengelola'],
  paid: ['Total paid', 'Total dibayar'],
  received: ['Received', 'Diterima'],
  memo: ['Message', 'Pesan'],
  app: ['App', 'Aplikasi'],
  provider: ['Provider', 'Penyedia'],
  reference: ['Reference', 'Nomor referensi'],
  createdAt: ['Started', 'Dimulai'],
  movedAt: ['Money moved', 'Uang berpindah'],
  reversed: ['Reversed', 'Dibatalkan'],
  by: ['by', 'oleh'],
  agreed: ['Agreed to by the payer', 'Persetujuan pembayar'],
  agreedAlone: ['Confirmed on {at}, without an app.', 'Dikonfirmasi pada {at}, tanpa aplikasi.'],
  agreedInPopup: ['Approved on {at} in the popup of', 'Disetujui pada {at} di popup'],
  agreedByGrant: [
    'Without asking, under the limits given on {at}.',
    'Tanpa bertanya, dalam batas yang diberikan pada {at}.',
  ],
  grantGone: [
    'Without asking, under limits that the payer had given.',
    'Tanpa bertanya, dalam batas yang telah diberikan pembayar.',
  ],
  signedInOn: ['Signed in with {provider} on {device}', 'Masuk dengan {provider} di {device}'],
  sessionEnded: ['since ended', 'sudah berakhir'],
  noSession: `No session is known: it has expired, or the app’s server sent the payment.
    Tidak ada sesi yang diketahui: sesinya sudah kedaluwarsa, atau server aplikasi yang mengirim pembayaran.`,
  reversalOf: ['Reverses', 'Membatalkan'],
  refundOf: ['Refund of', 'Pengembalian dari'],
  refunds: ['Refunds', 'Pengembalian'],
  legs: ['Movements', 'Pergerakan uang'],
  reverseAsk: `{amount} go back from {payee} to {payer}, with all fees. Both see it in their activity, and get an email at a verified address. This cannot be undone.
    {amount} kembali dari {payee} ke {payer}, beserta semua biaya. Keduanya melihatnya di aktivitas, dan mendapat email di alamat terverifikasi. Ini tidak bisa diurungkan.`,
  secondAsk: `A second administrator has to approve it.
    Admin kedua harus menyetujuinya.`,
  reverseDone: `Reversed: {amount} went back from {payee} to {payer}.
    Dibatalkan: {amount} kembali dari {payee} ke {payer}.`,
  onlyAdministrators: `Only an administrator can reverse it. Send one this address, with the reason:
    Hanya admin yang bisa membatalkannya. Kirimkan alamat ini kepada admin, beserta alasannya:`,
  copyAddress: ['Copy the address', 'Salin alamat'],
  not_open: ['Not confirmed: no money has moved.', 'Belum dikonfirmasi: tidak ada uang yang berpindah.'],
  not_cancelled: ['Cancelled: no money has moved.', 'Dibatalkan: tidak ada uang yang berpindah.'],
  not_reversed: ['Already reversed.', 'Sudah dibatalkan.'],
  not_refunded: [
    'Refunded in full, so there is nothing to reverse.',
    'Sudah dikembalikan seluruhnya, jadi tidak ada yang perlu dibatalkan.',
  ],
  not_partly_refunded: `Refunded in part, so it cannot be reversed. The payee can refund the rest.
    Sudah dikembalikan sebagian, jadi tidak bisa dibatalkan. Penerima bisa mengembalikan sisanya.`,
  not_refund: ['A refund cannot be reversed.', 'Pengembalian dana tidak bisa dibatalkan.'],
  proposed: `A proposal to reverse it waits for a second administrator: {id}
    Usulan untuk membatalkannya menunggu admin kedua: {id}`,
  spent: `It cannot be reversed now: {payee}, the app or the operator no longer has the money.
    Tidak bisa dibatalkan sekarang: {payee}, aplikasi, atau pengelola tidak lagi memiliki uangnya.`,
  closed: `It cannot be reversed: the wallet of {payer} or of {payee} is closed.
    Tidak bisa dibatalkan: dompet {payer} atau {payee} sudah ditutup.`,
  notNow: ['It cannot be reversed now: {why}.', 'Tidak bisa dibatalkan sekarang: {why}.'],
  ownMoney: [
    'The money would go to you, so another administrator has to reverse it.',
    'Uangnya akan kembali kepada Anda, jadi admin lain yang harus membatalkannya.',
  ],
});
