import { catalogue } from './locale.ts';

/** Texts that any page may need. */
export const commonTexts = catalogue({
  en: {
    language: 'Language',
    error: 'Error',
    cancel: 'Cancel',
    loading: 'Loading',
    inAFewSteps: 'Progress',
    done: 'done',
    newest: 'Back to the newest',
    older: 'Show older',
    pages: 'Pages of this list',
  },
  id: {
    language: 'Bahasa',
    error: 'Galat',
    cancel: 'Batal',
    loading: 'Memuat',
    inAFewSteps: 'Kemajuan',
    done: 'selesai',
    newest: 'Kembali ke yang terbaru',
    older: 'Tampilkan yang lebih lama',
    pages: 'Halaman daftar ini',
  },
});
