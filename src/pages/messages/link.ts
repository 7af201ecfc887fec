import { catalogue } from '../../ui/locale.ts';

/** The page between the account and the provider of an account to link. */
export const linkTexts = catalogue({
  en: {
    title: 'One moment',
    text: 'Choose an account at the provider. Then you come back here.',
    go: 'Continue',
  },
  id: {
    title: 'Tunggu sebentar',
    text: 'Pilih akun di penyedia. Setelah itu Anda kembali ke sini.',
    go: 'Lanjutkan',
  },
});
