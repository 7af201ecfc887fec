import { catalogue } from '../locale.ts';

/** Texts that every page may need. */
export const commonTexts = catalogue({
  en: {
    language: 'Language',
    error: 'Error',
    signIn: 'Sign in',
    cancel: 'Cancel',
    back: 'Back',
    tryAgain: 'Try again',
    loading: 'Loading',
    requestId: 'Request id',
    inAFewSteps: 'Progress',
    done: 'done',
    newest: 'Back to the newest',
    older: 'Show older',
    pages: 'Pages of this list',
  },
  id: {
    language: 'Bahasa',
    error: 'Galat',
    signIn: 'Masuk',
    cancel: 'Batal',
    back: 'Kembali',
    tryAgain: 'Coba lagi',
    loading: 'Memuat',
    requestId: 'ID permintaan',
    inAFewSteps: 'Kemajuan',
    done: 'selesai',
    newest: 'Kembali ke yang terbaru',
    older: 'Tampilkan yang lebih lama',
    pages: 'Halaman daftar ini',
  },
});
