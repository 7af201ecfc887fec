import { catalogue } from '../../lib/texts.ts';

/** Moving money between accounts at the admin desk: the problems next to the fields, and the page before it happens. */
export const deskMoveTexts = catalogue({
  badAccount: `This is neither a PID nor an app ID nor one of the operator’s accounts.
    Ini bukan PID, ID aplikasi, atau rekening pengelola.`,
  badAmount: ['Whole rupiah, such as 120000 or 120.000.', 'Rupiah bulat, misalnya 120000 atau 120.000.'],
  same: ['Choose another account than the one above.', 'Pilih rekening lain dari yang di atas.'],
  wallet_not_found: `There is no such wallet or account. Check the spelling.
    Tidak ada dompet atau rekening seperti ini. Periksa ejaannya.`,
  wallet_frozen: ['This wallet is frozen.', 'Dompet ini dibekukan.'],
  wallet_closed: [
    'This wallet is closed; it accepts only money that pays its debt.',
    'Dompet ini ditutup; hanya menerima uang yang melunasi utangnya.',
  ],
  uncovered: ['There is only {available} in it.', 'Isinya hanya {available}.'],
  check: ['Check before the money moves', 'Periksa sebelum uang dipindahkan'],
  from: ['From', 'Dari'],
  to: ['To', 'Ke'],
  balances: ['Balance: {before} now, {after} afterwards', 'Saldo: {before} sekarang, {after} setelahnya'],
  reason: ['Reason', 'Alasan'],
  move: ['Move {amount}', 'Pindahkan {amount}'],
  edit: ['Edit', 'Ubah'],
  moved: ['{amount} moved from {from} to {to}.', '{amount} dipindahkan dari {from} ke {to}.'],
  show: ['Show the transaction', 'Tampilkan transaksinya'],
});
