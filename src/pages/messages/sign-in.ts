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

/** The page on which a person lets an app act for them. */
export const authorizeTexts = catalogue({
  title: ['Allow access?', 'Izinkan akses?'],
  signInTo: ['Sign in to {app}', 'Masuk ke {app}'],
  asksSignIn: ['asks you to sign in as {pid}', 'meminta Anda masuk sebagai {pid}'],
  asksSight: ['wants to see the wallet of {pid}', 'ingin melihat dompet {pid}'],
  asks: ['wants to act for {pid}', 'ingin bertindak untuk {pid}'],
  unchecked: ['This app is new and not checked', 'Aplikasi ini baru dan belum diperiksa'],
  new: ['This app is new', 'Aplikasi ini baru'],
  unregistered: ['This app is not registered here', 'Aplikasi ini tidak terdaftar di sini'],
  homepage: ['Home page', 'Halaman utama'],
  privacy: ['Privacy policy', 'Kebijakan privasi'],
  knowHost: `Anyone can choose its name and logo. Allow access only if you know {host}.
    Siapa pun bisa memilih nama dan logonya. Izinkan akses hanya jika Anda mengenal {host}.`,
  knowClient: `Nobody here knows who runs it. Allow access only if you know {host}.
    Tidak ada yang tahu di sini siapa pengelolanya. Izinkan akses hanya jika Anda mengenal {host}.`,
  callsItself: ['It calls itself “{name}”.', 'Aplikasi ini menamai dirinya “{name}”.'],
  onDevice: `The access goes to a program on your device. Allow it only if you have just started this yourself.
    Akses ini diberikan kepada program di perangkat Anda. Izinkan hanya jika Anda sendiri baru saja memulainya.`,
  answerGoesTo: ['Your answer goes to', 'Jawaban Anda dikirim ke'],
  accessIsFor: ['It will use this access at', 'Akses ini akan dipakai di'],
  may: ['It may:', 'Aplikasi ini dapat:'],
  allow: ['Allow', 'Izinkan'],
  deny: ['Deny', 'Tolak'],
  anotherAccount: ['Use another account', 'Gunakan akun lain'],
  takeBack: ['You can remove this access at any time.', 'Anda bisa menghapus akses ini kapan saja.'],
  onTheWay: ['Back to the app', 'Kembali ke aplikasi'],
  onTheWayText: ['Taking you to {origin}.', 'Membawa Anda ke {origin}.'],
  goOn: ['Continue', 'Lanjutkan'],
  backToApp: ['Cancel and return to the app', 'Batal dan kembali ke aplikasi'],
});

export const logoutTexts = catalogue({
  title: ['Sign out?', 'Keluar?'],
  asked: ['is signed in on this browser', 'sedang masuk di browser ini'],
  askedBy: ['{app} asks you to sign out', '{app} meminta Anda keluar'],
  effect: `You will be signed out of your PID in this browser, and of the apps that you signed in to from here.
    Anda akan keluar dari PID di browser ini, dan dari aplikasi yang Anda masuki dari sini.`,
  strayed: `You will stay on this page afterwards, because the address to return to is not one of the app.
    Setelah itu Anda tetap di halaman ini, karena alamat untuk kembali bukan milik aplikasi itu.`,
  leadsTo: ['You will then return to {origin}.', 'Setelah itu Anda kembali ke {origin}.'],
  signOut: ['Sign out', 'Keluar'],
  stay: ['Stay signed in', 'Tetap masuk'],
  done: ['You are signed out', 'Anda sudah keluar'],
  doneText: ['Nobody is signed in on this browser.', 'Tidak ada yang masuk di browser ini.'],
  signIn: ['Sign in', 'Masuk'],
  goTo: ['Continue to {origin}', 'Lanjutkan ke {origin}'],
});

export const scopeTexts = catalogue({
  openid: ['see your PID', 'melihat PID Anda'],
  profile: ['see your name and language', 'melihat nama dan bahasa Anda'],
  email: ['see your email address', 'melihat alamat email Anda'],
  offline_access: ['stay connected while you are not using it', 'tetap terhubung saat Anda tidak memakainya'],
  'wallet:read': `see your wallet, its balance and its transactions
    melihat dompet Anda, saldonya, dan riwayat transaksinya`,
  'fiat:deposit': `start top-ups of your wallet, and see those it started
    mengisi saldo dompet Anda, dan melihat pengisian yang dimulainya`,
  'fiat:transfer': `ask you for payments from your wallet, and make payments within the limits you set
    meminta pembayaran dari dompet Anda, dan melakukan pembayaran dalam batas yang Anda tetapkan`,
  'fiat:refund': `refund payments that you received through it
    mengembalikan pembayaran yang Anda terima melaluinya`,
  'fiat:read': `see the payments and top-ups that it made
    melihat pembayaran dan pengisian saldo yang dibuatnya`,
});

/** The outcome of a ceremony, shown next to its button. */
export const passkeyStates = catalogue({
  waiting: ['Follow the instructions on your device.', 'Ikuti petunjuk di perangkat Anda.'],
  cancelled: `No passkey was used, and nothing was changed.
    Tidak ada passkey yang dipakai, dan tidak ada yang berubah.`,
  refused: `This passkey was not accepted. Try again, or choose another way.
    Passkey ini tidak diterima. Coba lagi, atau pakai cara lain.`,
  unknown: `This passkey was removed from its PID. Use another one, or another way.
    Passkey ini sudah dihapus dari PID-nya. Pakai passkey lain, atau cara lain.`,
  exists: `This device already has a passkey for your PID.
    Perangkat ini sudah punya passkey untuk PID Anda.`,
  none: `You have no passkey yet. Sign in again another way.
    Anda belum punya passkey. Masuk lagi dengan cara lain.`,
  suspended: ['This account is suspended or deleted.', 'Akun ini ditangguhkan atau sudah dihapus.'],
  busy: `Too many tries. Wait a minute, then try again.
    Terlalu banyak percobaan. Tunggu satu menit, lalu coba lagi.`,
  failed: `That did not work, and nothing was changed. Try again in a moment.
    Tidak berhasil, dan tidak ada yang berubah. Coba lagi sebentar lagi.`,
  unsupported: ['This browser cannot use passkeys here.', 'Browser ini tidak dapat memakai passkey di sini.'],
});

export const passkeyTexts = catalogue({
  use: ['Use a passkey', 'Pakai passkey'],
  signUp: ['Create a passkey', 'Buat passkey'],
  again: ['Sign in again with a passkey', 'Masuk lagi dengan passkey'],
  heading: ['Passkeys', 'Passkey'],
  lead: `A passkey signs you in with your fingerprint, face or screen lock. You have nothing to remember, and nobody can trick you out of it.
    Dengan passkey, Anda masuk memakai sidik jari, wajah, atau kunci layar. Tidak ada yang perlu diingat, dan tidak ada yang bisa dicuri lewat penipuan.`,
  add: ['Add a passkey', 'Tambahkan passkey'],
  nameLabel: ['Name of the new passkey (optional)', 'Nama passkey baru (opsional)'],
  nameHint: `Helps you tell them apart, such as “Work laptop”.
    Membantu Anda membedakannya, misalnya “Laptop kantor”.`,
  synced: ['Synced to your other devices', 'Disinkronkan ke perangkat Anda yang lain'],
  single: ['Only on one device', 'Hanya di satu perangkat'],
  rename: ['Rename', 'Ganti nama'],
  renameNamed: ['New name for {name}', 'Nama baru untuk {name}'],
  save: ['Save', 'Simpan'],
  inviteTitle: ['Sign in faster next time', 'Masuk lebih cepat lain kali'],
  invite: `With a passkey, your fingerprint, face or screen lock replaces the password.
    Dengan passkey, sidik jari, wajah, atau kunci layar menggantikan kata sandi.`,
  later: ['Not now', 'Nanti saja'],
});
