import { catalogue } from '../../ui/locale.ts';

/** The page between the account and the provider of an account to link. */
export const linkTexts = catalogue({
  en: {
    title: 'One moment',
    text: 'You will go to the provider, choose an account there and come back.',
    go: 'Continue',
  },
  id: {
    title: 'Tunggu sebentar',
    text: 'Anda akan dibawa ke penyedia, memilih akun di sana, lalu kembali ke sini.',
    go: 'Lanjutkan',
  },
});
