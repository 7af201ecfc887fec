import { catalogue } from '../../lib/texts.ts';

/** The email and password texts. */
export const emailTexts = catalogue({
  email: ['Email address', 'Alamat email'],
  password: ['Password', 'Kata sandi'],
  newPassword: ['New password', 'Kata sandi baru'],
  code: ['Code', 'Kode'],
  codeHint: ['You can paste it.', 'Kode bisa ditempel.'],
  longCodeHint: ['8 letters and digits. You can paste it.', '8 huruf dan angka. Kode bisa ditempel.'],
  passwordHint: `Use at least {least} characters. A few words that do not usually go together are easy to remember.
    Pakai minimal {least} karakter. Gabungan beberapa kata yang tidak berkaitan mudah diingat.`,
  signInTitle: ['Sign in with email', 'Masuk dengan email'],
  signIn: ['Sign in', 'Masuk'],
  forgotLink: ['Forgot your password?', 'Lupa kata sandi?'],
  registerLink: ['Register with email', 'Daftar dengan email'],
  otherWays: ['Other ways to sign in', 'Cara lain untuk masuk'],
  passwordRefused: ['Invalid email or password', 'Email atau kata sandi salah'],
  registerTitle: ['Register with email', 'Daftar dengan email'],
  registerLead: `We will send a code to your address to make sure it is yours. Then you choose your PID.
    Kami akan mengirim kode ke alamat Anda untuk memastikan alamat itu milik Anda. Setelah itu Anda memilih PID.`,
  register: ['Send code', 'Kirim kode'],
  verifyTitle: ['Enter your code', 'Masukkan kode Anda'],
  verifyLead: `We sent a 6-digit code to {email}. It expires in {minutes} minutes and works only in this browser.
    Kami mengirim kode 6 angka ke {email}. Kode berlaku {minutes} menit dan hanya di browser ini.`,
  verify: ['Confirm', 'Konfirmasi'],
  resent: `We sent a new code. The previous one no longer works.
    Kami mengirim kode baru. Kode sebelumnya tidak berlaku lagi.`,
  resendLead: `No email after a minute? Check your spam folder.
    Belum ada email setelah satu menit? Periksa folder spam.`,
  resend: ['Send a new code', 'Kirim kode baru'],
  resendIn: ['Send a new code in {seconds} s', 'Kirim kode baru dalam {seconds} detik'],
  codeRefused: `This code is wrong, expired or already used
    Kode ini salah, kedaluwarsa, atau sudah dipakai`,
  goBack: ['Use another address', 'Pakai alamat lain'],
  expiredTitle: ['This code expired', 'Kode ini sudah kedaluwarsa'],
  expiredLead: `A code works for {minutes} minutes, in the browser that asked for it. Request a new one.
    Kode berlaku {minutes} menit dan hanya di browser yang memintanya. Minta kode baru.`,
  verifiedTitle: ['Email address confirmed', 'Alamat email sudah dikonfirmasi'],
  verifiedLead: ['Now choose your PID.', 'Sekarang pilih PID Anda.'],
  toClaim: ['Choose your PID', 'Pilih PID Anda'],
  forgotTitle: ['Forgot your password?', 'Lupa kata sandi?'],
  forgotLead: `We will send a code to your address. Use it to set a new password in this browser.
    Kami akan mengirim kode ke alamat Anda. Pakai kode itu untuk membuat kata sandi baru di browser ini.`,
  forgot: ['Send code', 'Kirim kode'],
  resetTitle: ['Set a new password', 'Buat kata sandi baru'],
  resetLead: `We sent a code to {email}. It expires in {minutes} minutes and works only in this browser.
    Kami mengirim kode ke {email}. Kode berlaku {minutes} menit dan hanya di browser ini.`,
  reset: ['Set new password', 'Simpan kata sandi baru'],
  resetDoneTitle: ['Password changed', 'Kata sandi berhasil diganti'],
  resetDoneLead: `You were signed out everywhere. Sign in with the new password.
    Anda sudah keluar dari semua perangkat. Masuklah dengan kata sandi baru.`,
  resetSignedIn: `You are signed in here, and signed out everywhere else.
    Anda sudah masuk di sini, dan sudah keluar dari semua perangkat lain.`,
  continue: ['Continue', 'Lanjutkan'],
  changeTitle: ['Change your password', 'Ganti kata sandi'],
  changeLead: `You stay signed in here and are signed out everywhere else.
    Anda tetap masuk di sini dan keluar dari semua perangkat lain.`,
  change: ['Change password', 'Ganti kata sandi'],
  linkTitle: ['Add email and password', 'Tambahkan email dan kata sandi'],
  linkLead: `We will send a code to the address. Then you can sign in with it and the password.
    Kami akan mengirim kode ke alamat itu. Setelah itu Anda bisa masuk dengan alamat dan kata sandi tersebut.`,
  linkVerifyLead: `We sent a 6-digit code to {email}. It expires in {minutes} minutes.
    Kami mengirim kode 6 angka ke {email}. Kode berlaku {minutes} menit.`,
  sectionHeading: ['Email and password', 'Email dan kata sandi'],
  othersLead: `You can also sign in with these. If one of them is not yours, remove it.
    Ini juga bisa dipakai untuk masuk. Jika ada yang bukan milik Anda, hapus.`,
  noOthers: ['You have no other way to sign in.', 'Tidak ada cara lain untuk masuk.'],
  badEmail: `Enter an email address, such as you@example.com
    Masukkan alamat email, misalnya anda@example.com`,
  badCode: ['Enter the code from the email', 'Masukkan kode dari email'],
  emptyPassword: ['Enter a password', 'Masukkan kata sandi'],
  tooShort: ['Use at least {least} characters', 'Pakai minimal {least} karakter'],
  tooLong: ['Use at most {most} characters', 'Pakai maksimal {most} karakter'],
  malformed: ['Use characters that a keyboard can type', 'Pakai karakter yang bisa diketik dengan keyboard'],
  common: `This is one of the first passwords attackers try. Use words that do not usually go together
    Ini termasuk kata sandi yang pertama dicoba penyerang. Pakai kata-kata yang tidak berkaitan`,
  breached: `This password appeared in a data leak, so attackers try it. Choose another one
    Kata sandi ini pernah bocor, sehingga sering dicoba penyerang. Pakai yang lain`,
});
