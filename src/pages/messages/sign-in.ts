import { catalogue } from '../../ui/locale.ts';

export const signInTexts = catalogue({
  en: {
    title: 'Sign in',
    toContinueTo: 'to continue to {place}',
    toContinueToAccount: 'to continue to your {brand} account',
    continueWith: 'Continue with {provider}',
    or: 'or',
    newcomer: 'New here? Continue the same way, then choose your PID.',
    newHere: 'New here?',
    lastUsed: 'Last used',
    signedInTitle: 'You are signed in',
    continueAs: 'Continue as {pid}',
    anotherAccount: 'Use another account',
    notConfigured: 'The external sign-in is not configured on the server',
    notConfiguredAdvice: 'The operator of this service has to set up an identity provider first.',
    inAppTitle: 'You are in an in-app browser',
    inAppAdvice:
      'Some providers do not allow signing in here. If that happens, open this page in your browser.',
  },
  id: {
    title: 'Masuk',
    toContinueTo: 'untuk melanjutkan ke {place}',
    toContinueToAccount: 'untuk melanjutkan ke akun {brand} Anda',
    continueWith: 'Lanjutkan dengan {provider}',
    or: 'atau',
    newcomer: 'Baru di sini? Lanjutkan dengan cara yang sama, lalu pilih PID Anda.',
    newHere: 'Baru di sini?',
    lastUsed: 'Terakhir dipakai',
    signedInTitle: 'Anda sudah masuk',
    continueAs: 'Lanjutkan sebagai {pid}',
    anotherAccount: 'Gunakan akun lain',
    notConfigured: 'Masuk lewat penyedia luar belum diatur di server ini',
    notConfiguredAdvice: 'Pengelola layanan ini harus mengatur penyedia identitas terlebih dahulu.',
    inAppTitle: 'Anda memakai browser di dalam aplikasi',
    inAppAdvice:
      'Beberapa penyedia tidak mengizinkan masuk dari sini. Jika itu terjadi, buka halaman ini di browser Anda.',
  },
});
