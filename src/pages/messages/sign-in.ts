import { catalogue } from '../../lib/texts.ts';

export const signInTexts = catalogue({
  title: ['Sign in', 'Masuk'],
  toContinueTo: ['to continue to {place}', 'untuk melanjutkan ke {place}'],
  toContinueToAccount: ['to continue to your {brand} account', 'untuk melanjutkan ke akun {brand} Anda'],
  continueWith: ['Continue with {provider}', 'Lanjutkan dengan {provider}'],
  or: ['or', 'atau'],
  newcomer: `New here? Continue the same way, then choose your PID.
    Baru di sini? Lanjutkan dengan cara yang sama, lalu pilih PID Anda.`,
  newHere: ['New here?', 'Baru di sini?'],
  lastUsed: ['Last used', 'Terakhir dipakai'],
  signedInTitle: ['You are signed in', 'Anda sudah masuk'],
  continueAs: ['Continue as {pid}', 'Lanjutkan sebagai {pid}'],
  anotherAccount: ['Use another account', 'Gunakan akun lain'],
  notConfigured: `The external sign-in is not configured on the server
    Masuk lewat penyedia luar belum diatur di server ini`,
  notConfiguredAdvice: `The operator of this service has to set up an identity provider first.
    Pengelola layanan ini harus mengatur penyedia identitas terlebih dahulu.`,
  inAppTitle: ['You are in an in-app browser', 'Anda memakai browser di dalam aplikasi'],
  inAppAdvice: `Some providers do not allow signing in here. If that happens, open this page in your browser.
    Beberapa penyedia tidak mengizinkan masuk dari sini. Jika itu terjadi, buka halaman ini di browser Anda.`,
});
