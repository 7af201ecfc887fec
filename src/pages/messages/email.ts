import { catalogue } from '../../ui/locale.ts';

/** Everything about email and password. */
export const emailTexts = catalogue({
  en: {
    email: 'Email address',
    password: 'Password',
    newPassword: 'New password',
    code: 'Code',
    codeHint: 'You can paste it.',
    longCodeHint: 'Eight letters and digits. You can paste them.',
    passwordHint:
      'Use at least {least} characters. A few words that do not usually go together are easy to remember.',

    signInTitle: 'Sign in with email',
    signIn: 'Sign in',
    forgotLink: 'Forgot your password?',
    registerLink: 'Register with email',
    otherWays: 'Other ways to sign in',
    passwordRefused: 'Invalid email or password',

    registerTitle: 'Register with email',
    registerLead:
      'We send a code to your address to make sure that it is yours. After that you choose your PID.',
    register: 'Send me a code',

    verifyTitle: 'Enter your code',
    verifyLead:
      'We sent a 6-digit code to {email}. It expires in {minutes} minutes and works only in this browser.',
    verify: 'Confirm',
    resent: 'We sent another code. The previous one no longer works.',
    resendLead: 'No email after a minute? Check your spam folder first.',
    resend: 'Send another code',
    codeRefused: 'This code is wrong, expired or already used',
    goBack: 'Use another address',

    expiredTitle: 'This code expired',
    expiredLead:
      'A code works for {minutes} minutes, and only in the browser that asked for it. Request a new one.',
    verifiedTitle: 'Your address is confirmed',
    verifiedLead: 'Now choose your PID.',
    toClaim: 'Choose your PID',

    forgotTitle: 'Forgot your password?',
    forgotLead: 'We send a code to your address. With it you set a new password in this browser.',
    forgot: 'Send me a code',

    resetTitle: 'Set a new password',
    resetLead: 'We sent a code to {email}. It expires in {minutes} minutes and works only in this browser.',
    reset: 'Set new password',
    resetDoneTitle: 'Password changed',
    resetDoneLead: 'You were signed out everywhere. Sign in with the new password.',
    resetSignedIn: 'You are signed in here, and signed out everywhere else.',
    continue: 'Continue',

    changeTitle: 'Change your password',
    changeLead: 'You stay signed in here; everywhere else you are signed out.',
    change: 'Change password',
    linkTitle: 'Add email and password',
    linkLead: 'We send a code to the address. After that, you can sign in with it and the password.',
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
    common:
      'This is one of the first passwords that an attacker tries. Use words that do not usually go together',
    breached: 'This password is known from a leak elsewhere, so attackers try it. Choose another one',
  },
  id: {
    email: 'Alamat email',
    password: 'Kata sandi',
    newPassword: 'Kata sandi baru',
    code: 'Kode',
    codeHint: 'Kode boleh ditempel.',
    longCodeHint: 'Delapan huruf dan angka. Kode boleh ditempel.',
    passwordHint: 'Pakai minimal {least} karakter. Beberapa kata yang jarang dipakai bersama mudah diingat.',

    signInTitle: 'Masuk dengan email',
    signIn: 'Masuk',
    forgotLink: 'Lupa kata sandi?',
    registerLink: 'Daftar dengan email',
    otherWays: 'Cara lain untuk masuk',
    passwordRefused: 'Email atau kata sandi salah',

    registerTitle: 'Daftar dengan email',
    registerLead:
      'Kami mengirim kode ke alamat Anda untuk memastikan alamat itu milik Anda. Setelah itu Anda memilih PID.',
    register: 'Kirim kode',

    verifyTitle: 'Masukkan kode Anda',
    verifyLead:
      'Kami mengirim kode 6 angka ke {email}. Kode berlaku {minutes} menit dan hanya di browser ini.',
    verify: 'Konfirmasi',
    resent: 'Kami mengirim kode baru. Kode sebelumnya tidak berlaku lagi.',
    resendLead: 'Belum ada email setelah satu menit? Periksa dulu folder spam.',
    resend: 'Kirim kode lagi',
    codeRefused: 'Kode ini salah, kedaluwarsa, atau sudah dipakai',
    goBack: 'Pakai alamat lain',

    expiredTitle: 'Kode ini sudah kedaluwarsa',
    expiredLead: 'Kode berlaku {minutes} menit dan hanya di browser yang memintanya. Minta kode baru.',
    verifiedTitle: 'Alamat Anda sudah dikonfirmasi',
    verifiedLead: 'Tinggal memilih PID Anda.',
    toClaim: 'Pilih PID Anda',

    forgotTitle: 'Lupa kata sandi?',
    forgotLead:
      'Kami mengirim kode ke alamat Anda. Dengan kode itu Anda membuat kata sandi baru di browser ini.',
    forgot: 'Kirim kode',

    resetTitle: 'Buat kata sandi baru',
    resetLead: 'Kami mengirim kode ke {email}. Kode berlaku {minutes} menit dan hanya di browser ini.',
    reset: 'Simpan kata sandi baru',
    resetDoneTitle: 'Kata sandi berhasil diganti',
    resetDoneLead: 'Anda telah dikeluarkan dari semua perangkat. Masuklah dengan kata sandi baru.',
    resetSignedIn: 'Anda sudah masuk di sini, dan sudah keluar dari semua perangkat lain.',
    continue: 'Lanjutkan',

    changeTitle: 'Ganti kata sandi',
    changeLead: 'Anda tetap masuk di sini; di tempat lain Anda akan dikeluarkan.',
    change: 'Ganti kata sandi',
    linkTitle: 'Tambahkan email dan kata sandi',
    linkLead:
      'Kami mengirim kode ke alamat itu. Setelah itu Anda bisa masuk dengan alamat itu dan kata sandinya.',
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
    common:
      'Ini termasuk kata sandi yang pertama kali ditebak orang. Pakai kata-kata yang jarang dipakai bersama',
    breached:
      'Kata sandi ini diketahui dari kebocoran di tempat lain, sehingga sering ditebak. Pakai yang lain',
  },
});
