import { catalogue } from '../../ui/locale.ts';

/** Everything about email and password. */
export const emailTexts = catalogue({
  en: {
    email: 'Email address',
    password: 'Password',
    newPassword: 'New password',
    code: 'Code',
    codeHint: 'You can paste it.',
    longCodeHint: '8 letters and digits. You can paste it.',
    passwordHint:
      'Use at least {least} characters. A few words that do not usually go together are easy to remember.',

    signInTitle: 'Sign in with email',
    signIn: 'Sign in',
    forgotLink: 'Forgot your password?',
    registerLink: 'Register with email',
    otherWays: 'Other ways to sign in',
    passwordRefused: 'Invalid email or password',

    registerTitle: 'Register with email',
    registerLead: 'We will send a code to your address to make sure it is yours. Then you choose your PID.',
    register: 'Send code',

    verifyTitle: 'Enter your code',
    verifyLead:
      'We sent a 6-digit code to {email}. It expires in {minutes} minutes and works only in this browser.',
    verify: 'Confirm',
    resent: 'We sent a new code. The previous one no longer works.',
    resendLead: 'No email after a minute? Check your spam folder.',
    resend: 'Send a new code',
    codeRefused: 'This code is wrong, expired or already used',
    goBack: 'Use another address',

    expiredTitle: 'This code expired',
    expiredLead: 'A code works for {minutes} minutes, in the browser that asked for it. Request a new one.',
    verifiedTitle: 'Email address confirmed',
    verifiedLead: 'Now choose your PID.',
    toClaim: 'Choose your PID',

    forgotTitle: 'Forgot your password?',
    forgotLead: 'We will send a code to your address. Use it to set a new password in this browser.',
    forgot: 'Send code',

    resetTitle: 'Set a new password',
    resetLead: 'We sent a code to {email}. It expires in {minutes} minutes and works only in this browser.',
    reset: 'Set new password',
    resetDoneTitle: 'Password changed',
    resetDoneLead: 'You were signed out everywhere. Sign in with the new password.',
    resetSignedIn: 'You are signed in here, and signed out everywhere else.',
    continue: 'Continue',

    changeTitle: 'Change your password',
    changeLead: 'You stay signed in here and are signed out everywhere else.',
    change: 'Change password',
    linkTitle: 'Add email and password',
    linkLead: 'We will send a code to the address. Then you can sign in with it and the password.',
    linkVerifyLead: 'We sent a 6-digit code to {email}. It expires in {minutes} minutes.',
    sectionHeading: 'Email and password',
    othersLead: 'You can also sign in with these. If one of them is not yours, remove it.',
    noOthers: 'You have no other way to sign in.',

    summary: 'Check the highlighted fields',
    badEmail: 'Enter an email address, such as you@example.com',
    badCode: 'Enter the code from the email',
    emptyPassword: 'Enter a password',
    tooShort: 'Use at least {least} characters',
    tooLong: 'Use at most {most} characters',
    malformed: 'Use characters that a keyboard can type',
    common: 'This is one of the first passwords attackers try. Use words that do not usually go together',
    breached: 'This password appeared in a data leak, so attackers try it. Choose another one',
  },
  id: {
    email: 'Alamat email',
    password: 'Kata sandi',
    newPassword: 'Kata sandi baru',
    code: 'Kode',
    codeHint: 'Kode bisa ditempel.',
    longCodeHint: '8 huruf dan angka. Kode bisa ditempel.',
    passwordHint:
      'Pakai minimal {least} karakter. Gabungan beberapa kata yang tidak berkaitan mudah diingat.',

    signInTitle: 'Masuk dengan email',
    signIn: 'Masuk',
    forgotLink: 'Lupa kata sandi?',
    registerLink: 'Daftar dengan email',
    otherWays: 'Cara lain untuk masuk',
    passwordRefused: 'Email atau kata sandi salah',

    registerTitle: 'Daftar dengan email',
    registerLead:
      'Kami akan mengirim kode ke alamat Anda untuk memastikan alamat itu milik Anda. Setelah itu Anda memilih PID.',
    register: 'Kirim kode',

    verifyTitle: 'Masukkan kode Anda',
    verifyLead:
      'Kami mengirim kode 6 angka ke {email}. Kode berlaku {minutes} menit dan hanya di browser ini.',
    verify: 'Konfirmasi',
    resent: 'Kami mengirim kode baru. Kode sebelumnya tidak berlaku lagi.',
    resendLead: 'Belum ada email setelah satu menit? Periksa folder spam.',
    resend: 'Kirim kode baru',
    codeRefused: 'Kode ini salah, kedaluwarsa, atau sudah dipakai',
    goBack: 'Pakai alamat lain',

    expiredTitle: 'Kode ini sudah kedaluwarsa',
    expiredLead: 'Kode berlaku {minutes} menit dan hanya di browser yang memintanya. Minta kode baru.',
    verifiedTitle: 'Alamat email sudah dikonfirmasi',
    verifiedLead: 'Sekarang pilih PID Anda.',
    toClaim: 'Pilih PID Anda',

    forgotTitle: 'Lupa kata sandi?',
    forgotLead:
      'Kami akan mengirim kode ke alamat Anda. Pakai kode itu untuk membuat kata sandi baru di browser ini.',
    forgot: 'Kirim kode',

    resetTitle: 'Buat kata sandi baru',
    resetLead: 'Kami mengirim kode ke {email}. Kode berlaku {minutes} menit dan hanya di browser ini.',
    reset: 'Simpan kata sandi baru',
    resetDoneTitle: 'Kata sandi berhasil diganti',
    resetDoneLead: 'Anda sudah keluar dari semua perangkat. Masuklah dengan kata sandi baru.',
    resetSignedIn: 'Anda sudah masuk di sini, dan sudah keluar dari semua perangkat lain.',
    continue: 'Lanjutkan',

    changeTitle: 'Ganti kata sandi',
    changeLead: 'Anda tetap masuk di sini dan keluar dari semua perangkat lain.',
    change: 'Ganti kata sandi',
    linkTitle: 'Tambahkan email dan kata sandi',
    linkLead:
      'Kami akan mengirim kode ke alamat itu. Setelah itu Anda bisa masuk dengan alamat dan kata sandi tersebut.',
    linkVerifyLead: 'Kami mengirim kode 6 angka ke {email}. Kode berlaku {minutes} menit.',
    sectionHeading: 'Email dan kata sandi',
    othersLead: 'Ini juga bisa dipakai untuk masuk. Jika ada yang bukan milik Anda, hapus.',
    noOthers: 'Tidak ada cara lain untuk masuk.',

    summary: 'Periksa isian yang ditandai',
    badEmail: 'Masukkan alamat email, misalnya anda@example.com',
    badCode: 'Masukkan kode dari email',
    emptyPassword: 'Masukkan kata sandi',
    tooShort: 'Pakai minimal {least} karakter',
    tooLong: 'Pakai maksimal {most} karakter',
    malformed: 'Pakai karakter yang bisa diketik dengan keyboard',
    common: 'Ini termasuk kata sandi yang pertama dicoba penyerang. Pakai kata-kata yang tidak berkaitan',
    breached: 'Kata sandi ini pernah bocor, sehingga sering dicoba penyerang. Pakai yang lain',
  },
});
