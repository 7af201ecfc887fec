import { catalogue } from '../lib/texts.ts';

/** Texts that any page may need. */
export const commonTexts = catalogue({
  description: `Sign in with one permanent identity, your PID, and manage how it is used.
    Masuk dengan satu identitas tetap, yaitu PID Anda, dan atur penggunaannya.`,
  language: ['Language', 'Bahasa'],
  error: ['Error', 'Terjadi kesalahan'],
  cancel: ['Cancel', 'Batal'],
  newest: ['Back to the newest', 'Kembali ke yang terbaru'],
  older: ['Show older', 'Tampilkan yang lebih lama'],
  pages: ['Pages of this list', 'Halaman daftar ini'],
  support: ['Help', 'Bantuan'],
  privacy: ['Privacy', 'Privasi'],
  terms: ['Terms', 'Ketentuan'],
  show: ['Show', 'Lihat'],
  hide: ['Hide', 'Tutup'],
  thePassword: ['password', 'kata sandi'],
  characters: ['{count} of at least {least} characters', '{count} dari minimal {least} karakter'],
  timeLeft: ['Time left', 'Sisa waktu'],
  copied: ['Copied', 'Tersalin'],
});
