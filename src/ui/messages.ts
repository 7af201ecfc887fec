import { catalogue } from './locale.ts';

/** Texts that any page may need. */
export const commonTexts = catalogue({
  en: {
    description: 'Sign in with one permanent identity, your PID, and manage how it is used.',
    language: 'Language',
    error: 'Error',
    cancel: 'Cancel',
    loading: 'Loading',
    inAFewSteps: 'Steps',
    done: 'done',
    newest: 'Back to the newest',
    older: 'Show older',
    pages: 'Pages of this list',
    support: 'Help',
    privacy: 'Privacy',
    terms: 'Terms',
  },
  id: {
    description: 'Masuk dengan satu identitas tetap, yaitu PID Anda, dan atur penggunaannya.',
    language: 'Bahasa',
    error: 'Terjadi kesalahan',
    cancel: 'Batal',
    loading: 'Memuat',
    inAFewSteps: 'Langkah',
    done: 'selesai',
    newest: 'Kembali ke yang terbaru',
    older: 'Tampilkan yang lebih lama',
    pages: 'Halaman daftar ini',
    support: 'Bantuan',
    privacy: 'Privasi',
    terms: 'Ketentuan',
  },
});
