import { catalogue } from '../../lib/texts.ts';

/** The page between the account and the provider of an account to link. */
export const linkTexts = catalogue({
  title: ['One moment', 'Tunggu sebentar'],
  text: `Choose an account at the provider. Then you come back here.
    Pilih akun di penyedia. Setelah itu Anda kembali ke sini.`,
  go: ['Continue', 'Lanjutkan'],
});
