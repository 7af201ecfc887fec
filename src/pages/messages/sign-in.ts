import { catalogue } from '../../ui/locale.ts';

export const signInTexts = catalogue({
  en: {
    title: 'Sign in',
    toContinueTo: 'to continue to {place}',
    toContinueToAccount: 'to continue to your {brand} account',
    continueWith: 'Continue with {provider}',
    or: 'or',
    newcomer: 'New here? Continue the same way and choose your PID next.',
    newHere: 'New here?',
    lastUsed: 'Last used',
    signedInTitle: 'You are signed in',
    continueAs: 'Continue as {pid}',
    anotherAccount: 'Use another account',
    notConfigured: 'The external sign-in is not configured on the server',
    notConfiguredAdvice: 'Whoever runs this service has to set up an identity provider first.',
    inAppTitle: 'You are inside another app',
    inAppAdvice:
      'Some providers refuse to sign anybody in here. If that happens, open this page in your browser.',
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
    anotherAccount: 'Pakai akun lain',
    notConfigured: 'Masuk lewat penyedia luar belum diatur di server ini',
    notConfiguredAdvice: 'Pengelola layanan ini harus mengatur penyedia identitas terlebih dahulu.',
    inAppTitle: 'Anda berada di dalam aplikasi lain',
    inAppAdvice:
      'Beberapa penyedia menolak proses masuk di sini. Jika itu terjadi, buka halaman ini di browser Anda.',
  },
});
