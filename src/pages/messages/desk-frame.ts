import { catalogue } from '../../lib/texts.ts';

/** The admin desk's tabs, its search, and the lines of the audit log. */
export const deskFrameTexts = catalogue({
  title: ['Administration', 'Administrasi'],
  tabs: ['Pages of the desk', 'Halaman administrasi'],
  overview: ['Overview', 'Ikhtisar'],
  people: ['People', 'Orang'],
  audit: ['Audit log', 'Log audit'],
  search: ['Find a person', 'Cari orang'],
  searchHint: `A PID, a whole email address, the beginning of a name, or the ID of a transaction, session, popup request or provider account.
    PID, alamat email lengkap, awal nama, atau ID transaksi, sesi, permintaan popup, atau akun penyedia.`,
  find: ['Find', 'Cari'],
  done: ['Done.', 'Selesai.'],
  doneProposed: `Proposed. A second administrator has to approve it: until then nothing moves.
    Diusulkan. Admin kedua harus menyetujuinya: sampai saat itu tidak ada uang yang berpindah.`,
  action: ['Action', 'Tindakan'],
  actor: ['By', 'Oleh'],
  operator: ['the command line', 'baris perintah'],
  system: ['the service', 'layanan'],
  when: ['When', 'Kapan'],
});
