import { catalogue } from '../../lib/texts.ts';

export const accountTexts = catalogue({
  account: ['Your account', 'Akun Anda'],
  copyPid: ['Copy PID', 'Salin PID'],
  backTo: ['Back to {place}', 'Kembali ke {place}'],
  signOut: ['Sign out', 'Keluar'],
  tabs: ['Parts of your account', 'Bagian akun Anda'],
  credentials: ['Sign-in methods', 'Cara masuk'],
  sessions: ['Devices', 'Perangkat'],
  profile: ['Profile', 'Profil'],
  wallet: ['Wallet', 'Dompet'],
  apps: ['Apps', 'Aplikasi'],
  activity: ['Activity', 'Aktivitas'],
  linked: ['Sign-in method added', 'Cara masuk ditambahkan'],
  unlinked: ['Sign-in method removed', 'Cara masuk dihapus'],
  passkeyAdded: ['Your passkey is ready', 'Passkey Anda siap dipakai'],
  renamed: ['Passkey renamed', 'Nama passkey diganti'],
  ended: ['Session ended', 'Sesi sudah diakhiri'],
  othersEnded: ['Signed out everywhere else', 'Anda sudah keluar dari semua perangkat lain'],
  saved: ['Profile saved', 'Profil disimpan'],
  passwordChanged: `Password changed. You are signed out everywhere else. Check your other sign-in methods below.
    Kata sandi berhasil diganti. Anda sudah keluar dari semua perangkat lain. Periksa cara masuk Anda yang lain di bawah ini.`,
  emailLinked: ['Email and password added', 'Email dan kata sandi ditambahkan'],
  appCreated: ['App registered', 'Aplikasi didaftarkan'],
  appSaved: ['App saved', 'Aplikasi disimpan'],
  appDeleted: ['App deleted', 'Aplikasi dihapus'],
  secretMade: ['New secret created', 'Rahasia baru dibuat'],
  secretRevoked: ['Secret revoked', 'Rahasia dicabut'],
  webhookSaved: ['Webhook saved', 'Webhook disimpan'],
  webhookEnabled: ['Webhook enabled', 'Webhook diaktifkan'],
  webhookDisabled: ['Webhook disabled', 'Webhook dinonaktifkan'],
  webhookRotated: ['New signing secret created', 'Rahasia penandatanganan baru dibuat'],
  webhookDeleted: ['Webhook deleted', 'Webhook dihapus'],
  feeSaved: ['Fee saved', 'Biaya disimpan'],
  swept: ['The revenue is in your wallet', 'Pendapatan sudah ada di dompet Anda'],
  redelivered: ['The event is being sent again', 'Peristiwa sedang dikirim ulang'],
  grantSaved: ['Limits saved', 'Batas disimpan'],
  grantEnded: ['Access removed', 'Akses dihapus'],
  walletOpened: ['Your wallet is open', 'Dompet Anda sudah dibuka'],
  withdrawalHeld: ['The withdrawal is on its way', 'Penarikan sedang diproses'],
  receiptMailed: [
    'The receipt is on its way to your addresses',
    'Bukti transaksi sedang dikirim ke email Anda',
  ],
  refunded: ['Money refunded', 'Uang dikembalikan'],
  withdrawalCancelled: ['The withdrawal is cancelled', 'Penarikan dibatalkan'],
  signedOut: ['You are signed out', 'Anda sudah keluar'],
  closed: ['Your account was deleted', 'Akun Anda sudah dihapus'],
  repeat: `Your session was renewed first, so nothing has changed yet. Please try again.
    Sesi Anda baru saja diperbarui, jadi belum ada yang berubah. Silakan coba lagi.`,
  renewTitle: ['One moment', 'Mohon tunggu sebentar'],
  renewLead: ['Your session is being renewed.', 'Sesi Anda sedang diperbarui.'],
  renewContinue: ['Continue', 'Lanjutkan'],
  freshTitle: ['Sign in again to continue', 'Masuk lagi untuk melanjutkan'],
  freshPasskey: `For an amount this high, sign in with your passkey.
    Untuk jumlah sebesar ini, masuklah dengan passkey Anda.`,
  freshAction: ['Sign in again', 'Masuk lagi'],
  goneAlready: `That was already removed. The list below is up to date.
    Itu sudah dihapus. Daftar di bawah ini sudah diperbarui.`,
});

export const credentialTexts = catalogue({
  heading: ['Sign-in methods', 'Cara masuk'],
  lead: `Each of these signs you in to the same PID. Removing one never changes your PID or what belongs to it.
    Semuanya masuk ke PID yang sama. Menghapus salah satunya tidak mengubah PID Anda atau apa pun yang terkait dengannya.`,
  email: ['Email and password', 'Email dan kata sandi'],
  passkey: ['Passkey', 'Passkey'],
  linked: ['Added {when}', 'Ditambahkan {when}'],
  lastUsed: ['last used {when}', 'terakhir dipakai {when}'],
  unlink: ['Remove', 'Hapus'],
  unlinkNamed: ['Remove {provider}', 'Hapus {provider}'],
  onlyOne: `Your only way to sign in. Add another one before you remove it.
    Satu-satunya cara Anda masuk. Tambahkan cara lain sebelum menghapusnya.`,
  confirmTitle: ['Remove {provider}?', 'Hapus {provider}?'],
  confirm: `You can no longer sign in with it, and the devices that signed in with it are signed out, except this one. Your PID stays yours.
    Anda tidak bisa lagi masuk dengan cara ini, dan perangkat yang masuk dengannya akan keluar, kecuali perangkat ini. PID tetap milik Anda.`,
  linkHeading: ['Add a sign-in method', 'Tambahkan cara masuk'],
  linkLead: `With two ways to sign in, losing one does not lock you out.
    Dengan dua cara masuk, Anda tetap bisa masuk jika kehilangan salah satunya.`,
  link: ['Add {provider}', 'Tambahkan {provider}'],
});

export const sessionTexts = catalogue({
  heading: ['Where you are signed in', 'Perangkat yang terhubung'],
  lead: `If you do not recognise one, end it and check your sign-in methods.
    Jika ada yang tidak Anda kenali, akhiri sesinya dan periksa cara masuk Anda.`,
  thisDevice: ['This device', 'Perangkat ini'],
  unknownDevice: ['Unknown device', 'Perangkat tidak dikenal'],
  deviceOn: ['{browser} on {system}', '{browser} di {system}'],
  signedIn: ['Signed in {when}', 'Masuk {when}'],
  lastUsed: ['last used {when}', 'terakhir dipakai {when}'],
  end: ['End', 'Akhiri'],
  endNamed: ['End the session on {device}', 'Akhiri sesi di {device}'],
  endOthers: ['Sign out everywhere else', 'Keluar dari perangkat lain'],
  endOthersConfirm: `Every other session ends at once. You can sign in there again at any time.
    Semua sesi lain langsung berakhir. Anda bisa masuk lagi di sana kapan saja.`,
  onlyThis: ['You are not signed in anywhere else', 'Anda tidak masuk di tempat lain'],
});

export const profileTexts = catalogue({
  heading: ['Profile', 'Profil'],
  pid: ['PID', 'PID'],
  permanent: `Your permanent username. People see it as {pid}.
    Username tetap Anda. Orang lain melihatnya sebagai {pid}.`,
  since: ['Since', 'Sejak'],
  displayName: ['Name shown to others', 'Nama yang dilihat orang lain'],
  displayNameHint: `Up to 64 characters. Everybody can see it.
    Maksimal 64 karakter. Semua orang bisa melihatnya.`,
  language: ['Preferred language', 'Bahasa pilihan'],
  noLanguage: ['No preference', 'Tidak ada pilihan'],
  save: ['Save', 'Simpan'],
  paymentsHeading: ['Payments', 'Pembayaran'],
  stepUp: ['Sign in again above', 'Masuk lagi untuk jumlah di atas'],
  stepUpHint: `In whole rupiah. A larger payment or withdrawal needs a new sign-in. Leave it empty to never be asked.
    Dalam rupiah tanpa desimal. Untuk pembayaran atau penarikan yang lebih besar, Anda harus masuk lagi. Kosongkan jika tidak ingin diminta.`,
  dataHeading: ['Your data', 'Data Anda'],
  dataLead: `Everything we store about you, as a JSON file.
    Semua data yang kami simpan tentang Anda, dalam berkas JSON.`,
  download: ['Download my data', 'Unduh data saya'],
  closeHeading: ['Delete account', 'Hapus akun'],
  closeLead: `Your profile, sign-in methods and sessions are deleted at once. Your PID stays reserved for ever: nobody can have it again, not even you.
    Profil, cara masuk, dan sesi Anda langsung dihapus. PID Anda dicadangkan selamanya: tidak ada yang bisa memilikinya lagi, termasuk Anda.`,
  closeConfirm: ['Type your handle to confirm', 'Ketik handle Anda sebagai konfirmasi'],
  close: ['Delete account', 'Hapus akun'],
  wrongHandle: ['This is not your handle', 'Ini bukan handle Anda'],
});

export const activityTexts = catalogue({
  heading: ['Recent activity', 'Aktivitas terbaru'],
  lead: `Sign-ins, sign-outs, changes to your account and large payments, newest first.
    Riwayat masuk, keluar, perubahan akun, dan pembayaran besar, dari yang terbaru.`,
  when: ['When', 'Kapan'],
  what: ['What', 'Apa'],
  where: ['Where', 'Di mana'],
  started: ['Signed in with {provider}', 'Masuk dengan {provider}'],
  ended: ['Session ended: {reason}', 'Sesi berakhir: {reason}'],
  linked: ['{provider} added', '{provider} ditambahkan'],
  unlinked: ['{provider} removed', '{provider} dihapus'],
  passwordChanged: ['Password changed', 'Kata sandi diganti'],
  passwordReset: ['Password reset', 'Kata sandi diatur ulang'],
  claimed: ['PID claimed', 'PID diklaim'],
  verified: ['Verified by the operator', 'Diverifikasi oleh pengelola'],
  unverified: ['No longer verified by the operator', 'Tidak lagi diverifikasi oleh pengelola'],
  profileChanged: ['Profile changed', 'Profil diubah'],
  exported: ['Data downloaded', 'Data diunduh'],
  supportViewed: ['Support looked at your account', 'Layanan bantuan melihat akun Anda'],
  supportEnded: ['Support ended sessions', 'Layanan bantuan mengakhiri sesi'],
  supportRecovery: [
    'Support sent you a link for a new password',
    'Layanan bantuan mengirim tautan kata sandi baru',
  ],
  appCreated: ['App {app} registered', 'Aplikasi {app} didaftarkan'],
  appChanged: ['Addresses of an app changed: {app}', 'Alamat aplikasi diubah: {app}'],
  appDeleted: ['App {app} deleted', 'Aplikasi {app} dihapus'],
  secretRotated: ['New secret for {app}', 'Rahasia baru untuk {app}'],
  secretRevoked: ['Secret of {app} revoked', 'Rahasia {app} dicabut'],
  grantCreated: ['{app} got access to your account', '{app} mendapat akses ke akun Anda'],
  grantRevoked: ['Access of {app} removed', 'Akses {app} dihapus'],
  paymentSent: ['Sent to {party}', 'Dikirim ke {party}'],
  paymentReceived: ['Received from {party}', 'Diterima dari {party}'],
  paymentReversed: [
    'The operator reversed a payment: returned to {party}',
    'Pengelola membatalkan pembayaran: dikembalikan ke {party}',
  ],
  paymentReturned: [
    'The operator reversed a payment: returned by {party}',
    'Pengelola membatalkan pembayaran: dikembalikan oleh {party}',
  ],
  withdrawn: ['Withdrawal to {party}', 'Penarikan ke {party}'],
  empty: ['Nothing has happened yet', 'Belum ada aktivitas'],
  emptyAdvice: ['Sign-ins and changes appear here.', 'Riwayat masuk dan perubahan muncul di sini.'],
  logout: ['signed out', 'keluar'],
  byPerson: ['from another device or by support', 'dari perangkat lain atau oleh layanan bantuan'],
  replaced: ['replaced by a new sign-in', 'diganti oleh proses masuk yang baru'],
  expired: ['not used for a long time', 'lama tidak dipakai'],
  replay: `somebody may have copied it to another device
    mungkin disalin orang lain ke perangkat lain`,
  byUnlink: ['its sign-in method was removed', 'cara masuknya dihapus'],
  password: ['the password was changed', 'kata sandi diganti'],
  suspended: ['the account was suspended', 'akun ditangguhkan'],
  closed: ['the account was deleted', 'akun dihapus'],
});
