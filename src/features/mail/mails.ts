import type { MailKind } from './kinds.ts';
import { moneyMails } from './money-mails.ts';
import {
  account,
  checkBank,
  desk,
  forgot,
  lookAtWays,
  type Mail,
  mail,
  nothingToDo,
  signIn,
  signOutElsewhere,
} from './parts.ts';

/** Every email: its link, subject and lead, then paragraphs of advice. */
export const mails: Readonly<Record<Exclude<MailKind, 'known_reset_code'>, Mail>> = {
  ...moneyMails,
  register_code: mail(
    null,
    ['{code} is your code to sign up at {brand}', '{code} adalah kode Anda untuk mendaftar di {brand}'],
    `Somebody, hopefully you, is signing up at {brand} with this address. Type this code on the page that asks for it:
    Seseorang, semoga Anda sendiri, sedang mendaftar di {brand} dengan alamat ini. Ketik kode berikut di halaman yang memintanya:`,
    `If this was not you, do nothing: without the code no account is made.
    Jika ini bukan Anda, abaikan saja: tanpa kode ini tidak ada akun yang dibuat.`,
  ),
  register_known: mail(
    signIn,
    ['You already have an account at {brand}', 'Anda sudah punya akun di {brand}'],
    `Somebody, hopefully you, tried to sign up at {brand} with this address. It already belongs to an account, so no new one was made.
    Seseorang, semoga Anda sendiri, mencoba mendaftar di {brand} dengan alamat ini. Alamat ini sudah dipakai sebuah akun, jadi tidak ada akun baru yang dibuat.`,
    `If this was you, sign in the way you did before. If you no longer know your password, choose “Forgot password?” there.
    Jika ini Anda, masuklah dengan cara yang biasa Anda pakai. Jika lupa kata sandi, pilih “Lupa kata sandi?” di sana.`,
    `If this was not you, do nothing: nothing has changed, and whoever it was did not learn that you have an account.
    Jika ini bukan Anda, abaikan saja: tidak ada yang berubah, dan orang itu tidak tahu bahwa Anda punya akun.`,
  ),
  link_code: mail(
    null,
    `{code} is your code to add this address at {brand}
    {code} adalah kode Anda untuk menambahkan alamat ini di {brand}`,
    `Somebody, hopefully you, wants to sign in at {brand} with this address and a password. Type this code on the page that asks for it:
    Seseorang, semoga Anda sendiri, ingin masuk di {brand} dengan alamat ini dan kata sandi. Ketik kode berikut di halaman yang memintanya:`,
    `If this was not you, do nothing: without the code the address is not linked to any account.
    Jika ini bukan Anda, abaikan saja: tanpa kode ini alamat Anda tidak ditautkan ke akun mana pun.`,
  ),
  link_known: mail(
    signIn,
    ['This address is already in use at {brand}', 'Alamat ini sudah dipakai di {brand}'],
    `Somebody, hopefully you, tried to link this address to an account at {brand}. It already belongs to an account, so nothing has changed.
    Seseorang, semoga Anda sendiri, mencoba menautkan alamat ini ke sebuah akun di {brand}. Alamat ini sudah dipakai sebuah akun, jadi tidak ada yang berubah.`,
    `If this was you, sign in the way you did when you first used this address.
    Jika ini Anda, masuklah dengan cara yang Anda pakai saat pertama kali menggunakan alamat ini.`,
    `If this was not you, do nothing: nobody gets into your account by this.
    Jika ini bukan Anda, abaikan saja: tidak ada yang bisa masuk ke akun Anda karena ini.`,
  ),
  reset_code: mail(
    null,
    `{code} is your code for a new {brand} password
    {code} adalah kode Anda untuk kata sandi baru {brand}`,
    `Somebody, hopefully you, wants to choose a new password for your account at {brand}. Type this code on the page that asks for it:
    Seseorang, semoga Anda sendiri, ingin membuat kata sandi baru untuk akun Anda di {brand}. Ketik kode berikut di halaman yang memintanya:`,
    `If this was not you, do nothing: without the code your password stays as it is.
    Jika ini bukan Anda, abaikan saja: tanpa kode ini kata sandi Anda tidak berubah.`,
  ),
  reset_closed: mail(
    forgot,
    ['One more step to a new password for {brand}', 'Satu langkah lagi untuk kata sandi baru di {brand}'],
    `Somebody, hopefully you, wants to choose a new password for your account at {brand}. After 100 wrong codes in a row, new browsers get no more codes.
    Seseorang, semoga Anda sendiri, ingin membuat kata sandi baru untuk akun Anda di {brand}. Setelah 100 kode salah berturut-turut, browser baru tidak lagi mendapat kode.`,
    `If this was you, open the link below in the browser in which you want to choose the password, and ask for a code again. The link is valid for a day.
    Jika ini Anda, buka tautan di bawah di browser tempat Anda ingin membuat kata sandi baru, lalu minta kode lagi. Tautan berlaku satu hari.`,
    `If this was not you, do nothing, and do not pass the link on: your password stays as it is.
    Jika ini bukan Anda, abaikan saja dan jangan teruskan tautannya: kata sandi Anda tidak berubah.`,
  ),
  recovery: mail(
    forgot,
    ['Your way back into {brand}', 'Jalan kembali ke akun {brand} Anda'],
    `Our support sends you this because you asked for help with signing in.
    Tim dukungan kami mengirim ini karena Anda meminta bantuan untuk masuk.`,
    `Open the link below in the browser in which you want to sign in, and type your email address there. You get a code, and then choose a new password.
    Buka tautan di bawah di browser tempat Anda ingin masuk, lalu ketik alamat email Anda di sana. Anda akan mendapat kode, lalu membuat kata sandi baru.`,
    `Nobody at {brand} will ask you for that code. If you asked for no help, do nothing: your password stays as it is.
    Tidak ada orang dari {brand} yang akan meminta kode itu. Jika Anda tidak meminta bantuan, abaikan saja: kata sandi Anda tidak berubah.`,
  ),
  reset_unknown: mail(
    signIn,
    ['No password to change at {brand}', 'Tidak ada kata sandi yang bisa diubah di {brand}'],
    `Somebody, hopefully you, wants to choose a new password at {brand}, but no account there has a password with this address.
    Seseorang, semoga Anda sendiri, ingin membuat kata sandi baru di {brand}, tetapi tidak ada akun di sana yang memakai kata sandi dengan alamat ini.`,
    `If this was you, you may sign in another way, such as with Google or a passkey, or have used another address.
    Jika ini Anda, mungkin Anda masuk dengan cara lain, misalnya dengan Google atau passkey, atau memakai alamat lain.`,
    `If this was not you, do nothing: nothing has changed.
    Jika ini bukan Anda, abaikan saja: tidak ada yang berubah.`,
  ),
  credential_linked: mail(
    account,
    ['A way to sign in was added at {brand}', 'Cara masuk baru ditambahkan di {brand}'],
    ['Your account at {brand} has a new way to sign in.', 'Akun Anda di {brand} kini punya cara masuk baru.'],
    nothingToDo,
    `If this was not you, somebody else can get into your account. Open it now, remove what you do not know, and sign out everywhere else.
    Jika ini bukan Anda, orang lain bisa masuk ke akun Anda. Segera buka akun Anda, hapus cara masuk yang tidak Anda kenal, lalu keluar dari semua perangkat lain.`,
  ),
  credential_unlinked: mail(
    account,
    ['A way to sign in was removed at {brand}', 'Satu cara masuk dihapus di {brand}'],
    `One way to sign in to your account at {brand} was removed.
    Salah satu cara masuk ke akun Anda di {brand} telah dihapus.`,
    nothingToDo,
    lookAtWays,
  ),
  password_changed: mail(
    account,
    ['Your password at {brand} was changed', 'Kata sandi Anda di {brand} telah diubah'],
    `The password of your account at {brand} was changed, and all other sessions were ended.
    Kata sandi akun Anda di {brand} telah diubah, dan semua sesi lain diakhiri.`,
    nothingToDo,
    `If this was not you, choose “Forgot password?” on the sign-in page now, then look at what else signs you in.
    Jika ini bukan Anda, segera pilih “Lupa kata sandi?” di halaman masuk, lalu periksa cara masuk lain yang tertaut ke akun Anda.`,
  ),
  password_reset: mail(
    account,
    ['Your password at {brand} was reset', 'Kata sandi Anda di {brand} telah disetel ulang'],
    `Somebody with a code from your mailbox chose a new password for your account at {brand}. All sessions were ended.
    Seseorang dengan kode dari kotak surat Anda membuat kata sandi baru untuk akun Anda di {brand}. Semua sesi telah diakhiri.`,
    nothingToDo,
    `If this was not you, somebody can read your email. Secure your mailbox first, then choose “Forgot password?” on the sign-in page.
    Jika ini bukan Anda, ada orang yang bisa membaca email Anda. Amankan kotak surat Anda dahulu, lalu pilih “Lupa kata sandi?” di halaman masuk.`,
  ),
  passkey_added: mail(
    account,
    ['A passkey was added at {brand}', 'Passkey baru ditambahkan di {brand}'],
    `Your account at {brand} has a new passkey. Whoever holds it can sign in.
    Akun Anda di {brand} kini punya passkey baru. Siapa pun yang memegangnya bisa masuk.`,
    nothingToDo,
    `If this was not you, somebody else can get into your account. Open it now, remove the passkey, and sign out everywhere else.
    Jika ini bukan Anda, orang lain bisa masuk ke akun Anda. Segera buka akun Anda, hapus passkey itu, lalu keluar dari semua perangkat lain.`,
  ),
  passkey_removed: mail(
    account,
    ['A passkey was removed at {brand}', 'Sebuah passkey dihapus di {brand}'],
    `A passkey of your account at {brand} was removed. It no longer signs anybody in.
    Sebuah passkey milik akun Anda di {brand} telah dihapus dan tidak bisa dipakai untuk masuk lagi.`,
    nothingToDo,
    lookAtWays,
  ),
  app_changed: mail(
    account,
    ['An app of yours was changed at {brand}', 'Aplikasi Anda diubah di {brand}'],
    `The redirect URIs, the origins, a logout address, the resources, the PKCE or the device setting of an app of yours at {brand} were changed.
    URI pengalihan, origin, alamat keluar, sumber daya, atau setelan PKCE atau perangkat salah satu aplikasi Anda di {brand} telah diubah.`,
    nothingToDo,
    `If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and correct the app.
    Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu perbaiki aplikasi itu.`,
  ),
  app_resource_lost: mail(
    account,
    ['An app lost a resource at {brand}', 'Sebuah aplikasi kehilangan sumber daya di {brand}'],
    `A resource of an app of yours at {brand} has ended: the file at its origin names another app or could not be read for seven days, or the operator gave the resource to another app. Your app gets no more tokens for it.
    Sebuah sumber daya milik salah satu aplikasi Anda di {brand} telah berakhir: berkas di origin-nya menyebut aplikasi lain atau tidak terbaca selama tujuh hari, atau operator memberikannya kepada aplikasi lain. Aplikasi Anda tidak lagi mendapat token untuknya.`,
    `If the resource is still yours, restore the file and register it again. Otherwise there is nothing to do.
    Jika sumber daya itu masih milik Anda, pulihkan berkasnya lalu daftarkan kembali. Jika tidak, tidak ada yang perlu dilakukan.`,
  ),
  app_secret_rotated: mail(
    account,
    ['An app has a new secret at {brand}', 'Sebuah aplikasi punya rahasia baru di {brand}'],
    `An app of yours at {brand} has a new secret. The former ones end soon.
    Salah satu aplikasi Anda di {brand} punya rahasia baru. Rahasia yang lama segera berakhir.`,
    `If this was you, put the new secret into the settings of the app.
    Jika ini Anda, masukkan rahasia baru itu ke pengaturan aplikasi.`,
    `If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and replace the secret again.
    Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu ganti rahasia itu lagi.`,
  ),
  app_secret_revoked: mail(
    account,
    ['A secret of an app was revoked at {brand}', 'Rahasia sebuah aplikasi dicabut di {brand}'],
    `A secret of an app of yours at {brand} was revoked. It no longer works.
    Sebuah rahasia aplikasi Anda di {brand} telah dicabut dan tidak bisa dipakai lagi.`,
    nothingToDo,
    `If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and give the app a new secret.
    Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu buat rahasia baru untuk aplikasi itu.`,
  ),
  webhook_disabled: mail(
    account,
    ['The webhook of an app was disabled at {brand}', 'Webhook sebuah aplikasi dinonaktifkan di {brand}'],
    `The webhook of an app of yours at {brand} is disabled: its receiver has taken nothing for three days, or said that it is gone.
    Webhook salah satu aplikasi Anda di {brand} dinonaktifkan: penerimanya tidak menerima apa pun selama tiga hari, atau menyatakan sudah tidak ada.`,
    `Repair the receiver, then enable the webhook again: whatever was not delivered is sent then, for 30 days.
    Perbaiki penerimanya, lalu aktifkan lagi webhook itu: yang belum terkirim akan dikirim, hingga 30 hari.`,
  ),
  app_allowed: mail(
    account,
    ['An app may use your account at {brand}', 'Sebuah aplikasi boleh memakai akun Anda di {brand}'],
    `You allowed an app to use your account at {brand}. Your account shows what it may do, and ends that at any time.
    Anda mengizinkan sebuah aplikasi memakai akun Anda di {brand}. Akun Anda menunjukkan apa saja yang boleh dilakukannya, dan di sana Anda bisa mengakhirinya kapan saja.`,
    nothingToDo,
    `If this was not you, somebody else is in your account. Open it now, end the access of the app, and sign out everywhere else.
    Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, akhiri akses aplikasi itu, lalu keluar dari semua perangkat lain.`,
  ),
  step_up_changed: mail(
    account,
    `Your {brand} account asks for a new sign-in less often
    Akun {brand} Anda lebih jarang meminta masuk ulang`,
    `The amount above which payments and withdrawals at {brand} need a new sign-in was raised or removed. Up to it you get no email about payments.
    Jumlah yang membuat pembayaran dan penarikan di {brand} memerlukan masuk ulang telah dinaikkan atau dihapus. Sampai jumlah itu Anda tidak menerima email tentang pembayaran.`,
    nothingToDo,
    `If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and set the amount again.
    Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu atur kembali jumlah itu.`,
  ),
  sign_in_new_device: mail(
    account,
    ['New sign-in to your {brand} account', 'Ada yang masuk ke akun {brand} Anda dari perangkat baru'],
    `Somebody signed in to your account at {brand} with a device that we have not seen there lately.
    Seseorang masuk ke akun Anda di {brand} dengan perangkat yang belakangan ini tidak pernah dipakai di sana.`,
    nothingToDo,
    `If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and change your password or remove what you do not know.
    Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu ganti kata sandi atau hapus cara masuk yang tidak Anda kenal.`,
  ),
  account_closed: mail(
    null,
    ['Your {brand} account was deleted', 'Akun {brand} Anda telah dihapus'],
    `Your account at {brand} was deleted, with your profile, your ways to sign in and your sessions. Your PID stays reserved: nobody gets it again.
    Akun Anda di {brand} telah dihapus, beserta profil, cara masuk, dan sesi Anda. PID Anda tetap dicadangkan: tidak ada yang bisa memilikinya lagi.`,
    `If this was you, there is nothing to do. This is the last email about this account.
    Jika ini Anda, tidak ada yang perlu dilakukan. Ini email terakhir tentang akun ini.`,
    `If this was not you, somebody else was in your account. It cannot be opened again; secure your mailbox, and change passwords that you used elsewhere too.
    Jika ini bukan Anda, orang lain berada di akun Anda. Akun itu tidak dapat dibuka lagi; amankan kotak surat Anda, dan ganti kata sandi yang juga Anda pakai di tempat lain.`,
  ),
  withdrawal_held: mail(
    account,
    ['A withdrawal from your wallet at {brand}', 'Penarikan dari dompet Anda di {brand}'],
    `Somebody, hopefully you, withdraws money from your wallet at {brand}. It is paid out to a bank account within minutes.
    Seseorang, semoga Anda sendiri, menarik uang dari dompet Anda di {brand}. Uang itu dibayarkan ke rekening bank dalam beberapa menit.`,
    nothingToDo,
    `If this was not you, somebody else is in your account. Open your account now, cancel the withdrawal if it is still possible, and sign out everywhere else.
    Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, batalkan penarikan itu jika masih bisa, lalu keluar dari semua perangkat lain.`,
  ),
  withdrawal_paid: mail(
    account,
    ['Your withdrawal from {brand} was paid', 'Penarikan Anda dari {brand} telah dibayarkan'],
    `The money that was withdrawn from your wallet at {brand} was paid to the bank account.
    Uang yang ditarik dari dompet Anda di {brand} telah dibayarkan ke rekening bank.`,
    nothingToDo,
    signOutElsewhere,
  ),
  withdrawal_failed: mail(
    account,
    ['Your withdrawal from {brand} failed', 'Penarikan Anda dari {brand} gagal'],
    `The withdrawal from your wallet at {brand} could not be paid out. The money is back in your wallet, with the fee.
    Penarikan dari dompet Anda di {brand} tidak dapat dibayarkan. Uangnya sudah kembali ke dompet Anda, beserta biayanya.`,
    checkBank,
    signOutElsewhere,
  ),
  withdrawal_returned: mail(
    account,
    ['Your withdrawal from {brand} was returned', 'Penarikan Anda dari {brand} dikembalikan'],
    `The bank returned the money that was withdrawn from your wallet at {brand}. The amount is back in your wallet; the fee is not.
    Bank mengembalikan uang yang ditarik dari dompet Anda di {brand}. Jumlahnya sudah kembali ke dompet Anda, tetapi biayanya tidak.`,
    checkBank,
    signOutElsewhere,
  ),
  payment_sent: mail(
    account,
    ['A payment from your wallet at {brand}', 'Pembayaran dari dompet Anda di {brand}'],
    `Your wallet at {brand} made a payment above the amount for which you chose to sign in again.
    Dompet Anda di {brand} melakukan pembayaran di atas jumlah yang Anda pilih untuk masuk lagi.`,
    nothingToDo,
    `If this was not you, somebody else is in your account. Open your account now, sign out everywhere else, change your ways to sign in, and contact support.
    Jika ini bukan Anda, ada orang lain di akun Anda. Buka akun Anda sekarang, keluar dari semua perangkat lain, ganti cara masuk Anda, dan hubungi layanan bantuan.`,
  ),
  payment_received: mail(
    account,
    ['You received money at {brand}', 'Anda menerima uang di {brand}'],
    ['Somebody paid money into your wallet at {brand}.', 'Seseorang membayar ke dompet Anda di {brand}.'],
    `If you expected it, there is nothing to do.
    Jika Anda menunggu uang ini, tidak ada yang perlu dilakukan.`,
    `If you do not know why you got it, pass it on to nobody who asks you to, and contact support.
    Jika Anda tidak tahu alasannya, jangan teruskan uang ini kepada siapa pun yang memintanya, dan hubungi layanan bantuan.`,
  ),
  desk_proposal: mail(
    desk,
    `A decision about money waits for your approval at {brand}
    Keputusan atas uang menunggu persetujuan Anda di {brand}`,
    `{maker} proposes a decision about money at {brand}. The amount needs a second administrator.
    {maker} mengusulkan keputusan atas uang di {brand}. Jumlah ini memerlukan admin kedua.`,
    `Approve or reject it on the administration page within three days. Nothing moves until then.
    Setujui atau tolak di halaman administrasi dalam tiga hari. Sampai saat itu tidak ada uang yang berpindah.`,
    `If you do not know why this is proposed, ask {maker} before you approve it, but not by replying to this email.
    Jika Anda tidak tahu alasan usulan ini, tanyakan kepada {maker} sebelum menyetujuinya, tetapi bukan dengan membalas email ini.`,
  ),
  guessing_stopped: mail(
    account,
    ['Somebody is guessing at your password at {brand}', 'Seseorang menebak kata sandi Anda di {brand}'],
    `Somebody typed 100 wrong passwords, or 100 wrong codes for a new password, in a row for your account at {brand}. Nobody got in this way. New browsers can no longer use it, not even with the right one.
    Seseorang mengetik 100 kata sandi salah, atau 100 kode salah untuk kata sandi baru, berturut-turut untuk akun Anda di {brand}. Tidak ada yang berhasil masuk dengan cara ini. Browser baru tidak bisa lagi memakainya, bahkan dengan yang benar.`,
    `If this was not you, there is nothing to do: you can sign in as before in every browser in which you have signed in already, and with your other ways to sign in.
    Jika ini bukan Anda, tidak ada yang perlu dilakukan: Anda tetap bisa masuk seperti biasa di setiap browser yang pernah Anda pakai untuk masuk, dan dengan cara masuk Anda yang lain.`,
    `If this was you, or you want to use your password in a new browser, change it in your account, or choose “Forgot your password?” on the sign-in page.
    Jika ini Anda, atau Anda ingin memakai kata sandi di browser baru, ganti kata sandi di akun Anda, atau pilih “Lupa kata sandi?” di halaman masuk.`,
  ),
};
