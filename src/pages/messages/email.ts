import { catalogue } from '../../ui/locale.ts';

/** Everything about email and password. */
export const emailTexts = catalogue({
  en: {
    email: 'Email address',
    password: 'Password',
    newPassword: 'New password',
    code: 'Code',
    codeHint: 'Six digits from the email. You can paste them.',
    longCodeHint: 'Eight letters and digits from the email. You can paste them.',
    passwordHint:
      'At least {least} characters. A sentence of a few words you do not usually put together is easy to remember and hard to guess. Digits and symbols are not required.',

    signInTitle: 'Sign in with email',
    signIn: 'Sign in',
    forgotLink: 'Forgot your password?',
    registerLink: 'New here? Register with email',
    otherWays: 'Other ways to sign in',
    passwordRefused: 'Invalid email or password',

    registerTitle: 'Register with email',
    registerLead:
      'We send a code to your address to make sure that it is yours. After that you choose your PID.',
    register: 'Send me a code',

    verifyTitle: 'Enter your code',
    verifyLead:
      'If it can be registered, a code is on its way to {email}. It is valid for {minutes} minutes, in this browser.',
    verify: 'Confirm',
    resent: 'If a registration is waiting, another code is on its way. The previous one is no longer valid.',
    resendLead: 'Nothing after a minute? Check your spam folder first.',
    resend: 'Send another code',
    codeRefused: 'This code is wrong, already used or no longer valid',
    goBack: 'Start again with another address',

    expiredTitle: 'No code is expected here',
    expiredLead:
      'A code is valid for {minutes} minutes, and only in the browser that requested it. Request a new one.',
    verifiedTitle: 'Your address is confirmed',
    verifiedLead: 'All that is left is to choose your PID.',
    toClaim: 'Choose your PID',

    forgotTitle: 'Forgot your password?',
    forgotLead: 'We send a code to your address. With it you can set a new password in this browser.',
    forgot: 'Send me a code',

    resetTitle: 'Set a new password',
    resetLead:
      'If {email} can be used to sign in here, a code is on its way. It is valid for {minutes} minutes, in this browser.',
    reset: 'Set the new password',
    resetDoneTitle: 'Your password is changed',
    resetDoneLead: 'You were signed out everywhere. Sign in with the new password.',

    changeTitle: 'Change your password',
    changeLead: 'You stay signed in here; everywhere else you are signed out.',
    change: 'Change the password',
    linkTitle: 'Link email and password',
    linkLead: 'We send a code to the address. After that, you can sign in with it and the password.',
    linkVerifyLead:
      'If it can be linked, a code is on its way to {email}. It is valid for {minutes} minutes.',
    sectionHeading: 'Email and password',
    othersLead: 'You can also sign in with these. If one of them is not yours, unlink it.',
    noOthers: 'You have no other way to sign in.',

    summary: 'Please look at this again',
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
    codeHint: 'Enam angka dari email. Boleh ditempel.',
    longCodeHint: 'Delapan huruf dan angka dari email. Boleh ditempel.',
    passwordHint:
      'Minimal {least} karakter. Kalimat dari beberapa kata yang jarang dipakai bersama mudah diingat dan sulit ditebak. Angka atau simbol tidak diwajibkan.',

    signInTitle: 'Masuk dengan email',
    signIn: 'Masuk',
    forgotLink: 'Lupa kata sandi?',
    registerLink: 'Baru di sini? Daftar dengan email',
    otherWays: 'Cara lain untuk masuk',
    passwordRefused: 'Email atau kata sandi salah',

    registerTitle: 'Daftar dengan email',
    registerLead:
      'Kami mengirim kode ke alamat Anda untuk memastikan alamat itu milik Anda. Setelah itu Anda memilih PID.',
    register: 'Kirim kode',

    verifyTitle: 'Masukkan kode Anda',
    verifyLead:
      'Jika alamatnya bisa didaftarkan, kode sedang dikirim ke {email}. Kode berlaku {minutes} menit, di peramban ini.',
    verify: 'Konfirmasi',
    resent:
      'Jika ada pendaftaran yang menunggu di sini, kode lain sedang dikirim. Kode sebelumnya tidak berlaku lagi.',
    resendLead: 'Belum ada setelah satu menit? Periksa dulu folder spam.',
    resend: 'Kirim kode lagi',
    codeRefused: 'Kode ini salah, sudah dipakai, atau tidak berlaku lagi',
    goBack: 'Mulai lagi dengan alamat lain',

    expiredTitle: 'Tidak ada kode yang ditunggu di sini',
    expiredLead: 'Kode berlaku {minutes} menit, dan hanya di peramban yang memintanya. Mintalah kode baru.',
    verifiedTitle: 'Alamat Anda sudah dikonfirmasi',
    verifiedLead: 'Tinggal memilih PID Anda.',
    toClaim: 'Pilih PID Anda',

    forgotTitle: 'Lupa kata sandi?',
    forgotLead:
      'Kami mengirim kode ke alamat Anda. Dengan kode itu Anda bisa membuat kata sandi baru di peramban ini.',
    forgot: 'Kirim kode',

    resetTitle: 'Buat kata sandi baru',
    resetLead:
      'Jika {email} dipakai untuk masuk di sini, kode sedang dikirim. Kode berlaku {minutes} menit, di peramban ini.',
    reset: 'Simpan kata sandi baru',
    resetDoneTitle: 'Kata sandi Anda sudah baru',
    resetDoneLead: 'Anda telah dikeluarkan dari semua perangkat. Masuklah dengan kata sandi baru.',

    changeTitle: 'Ganti kata sandi',
    changeLead: 'Anda tetap masuk di sini; di tempat lain Anda akan dikeluarkan.',
    change: 'Ganti kata sandi',
    linkTitle: 'Tautkan email dan kata sandi',
    linkLead:
      'Kami mengirim kode ke alamat itu. Setelah itu Anda bisa masuk dengan alamat itu dan kata sandinya.',
    linkVerifyLead:
      'Jika alamatnya bisa ditautkan, kode sedang dikirim ke {email}. Kode berlaku {minutes} menit.',
    sectionHeading: 'Email dan kata sandi',
    othersLead: 'Ini juga bisa dipakai untuk masuk. Jika ada yang bukan milik Anda, putuskan tautannya.',
    noOthers: 'Tidak ada cara lain untuk masuk.',

    summary: 'Mohon periksa lagi',
    badEmail: 'Masukkan alamat email, misalnya anda@example.com',
    badCode: 'Masukkan kode dari email',
    emptyPassword: 'Masukkan kata sandi',
    tooShort: 'Pakai minimal {least} karakter',
    tooLong: 'Pakai maksimal {most} karakter',
    malformed: 'Pakai karakter yang bisa diketik dengan papan ketik',
    common:
      'Ini termasuk kata sandi yang pertama kali ditebak orang. Pakai kata-kata yang jarang dipakai bersama',
    breached:
      'Kata sandi ini diketahui dari kebocoran di tempat lain, sehingga sering ditebak. Pakai yang lain',
  },
});
