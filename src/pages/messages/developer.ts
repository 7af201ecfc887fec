import { catalogue } from '../../lib/texts.ts';

/** The frame of the developers' pages. */
export const developerTexts = catalogue({
  title: ['Developers', 'Pengembang'],
  tabs: ['Parts of the app', 'Bagian aplikasi'],
  settings: ['Settings', 'Pengaturan'],
  secrets: ['Secrets', 'Rahasia'],
  webhook: ['Webhook', 'Webhook'],
  fees: ['Fees and revenue', 'Biaya dan pendapatan'],
  remove: ['Delete', 'Hapus'],
  account: ['Your account', 'Akun Anda'],
  back: ['All apps', 'Semua aplikasi'],
});
