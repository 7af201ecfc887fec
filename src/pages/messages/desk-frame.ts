import { catalogue } from '../../lib/texts.ts';

/** The admin desk's tabs, its search, and the lines of the audit log. */
export const deskFrameTexts = catalogue({
  title: ['Administration', 'Administrasi'],
  tabs: ['Pages of the desk', 'Halaman administrasi'],
  overview: ['Overview', 'Ikhtisar'],
  people: ['People', 'Orang'],
  audit: ['Audit log', 'Log audit'],
  search: ['Find a person or a transaction', 'Cari orang atau transaksi'],
  searchHint: `The beginning of a handle, or of a first or last name, from two letters on; small misspellings of a handle are found. Or a whole PID, email address, or ID: of a transaction, a session, a sign-in window (popup), or an account at a provider such as Google.
    Awal handle, nama depan, atau nama belakang, minimal dua huruf; handle yang sedikit salah eja tetap ditemukan. Atau PID, alamat email, atau ID yang lengkap: transaksi, sesi, jendela masuk (popup), atau akun di penyedia seperti Google.`,
  find: ['Find', 'Cari'],
  kept: `This form is filled in as you left it before you signed in again. Nothing has happened yet: check it and send it.
    Formulir ini terisi seperti sebelum Anda masuk lagi. Belum ada yang terjadi: periksa, lalu kirim.`,
  again: ['Sign in again', 'Masuk lagi'],
  keptUntil: `What you typed is kept. It comes back after you sign in, and nothing has happened yet.
    Yang Anda ketik disimpan. Isinya kembali setelah Anda masuk, dan belum ada yang terjadi.`,
  done: ['Done: {what}{of}.', 'Selesai: {what}{of}.'],
  sandbox: `Sandbox at {origin}. Administrators: {administrators}. Support: {support}. Emails are at {origin}/dev/mail, and the clock is at {origin}/dev.
    Sandbox di {origin}. Admin: {administrators}. Tim dukungan: {support}. Email ada di {origin}/dev/mail, dan jam di {origin}/dev.`,
  nobody: ['nobody', 'tidak ada'],
  doneProposed: `Proposed. A second administrator has to approve it: until then nothing moves.
    Diusulkan. Admin kedua harus menyetujuinya: sampai saat itu tidak ada uang yang berpindah.`,
  action: ['Action', 'Tindakan'],
  withoutSearches: ['Everything but searches', 'Semua kecuali pencarian'],
  withSearches: ['Everything, with searches', 'Semua, dengan pencarian'],
  actor: ['By', 'Oleh'],
  operator: ['the command line', 'baris perintah'],
  system: ['the service', 'layanan'],
  when: ['When', 'Kapan'],
});
