import { catalogue } from '../../lib/texts.ts';

/** The admin desk's search, a person's page and the audit log. */
export const deskPeopleTexts = catalogue({
  noneFound: `Nobody found for “{q}”. Check the spelling: an address and an ID must be whole.
    Tidak ada yang cocok dengan “{q}”. Periksa ejaannya: alamat dan ID harus lengkap.`,
  requestId: `If it is the request ID of an error page: it is only in the service’s log, as requestId {q}. The line names the session, which this search finds.
    Jika itu ID permintaan dari halaman galat: ID itu hanya ada di log layanan, sebagai requestId {q}. Barisnya menyebut sesi, yang bisa dicari di sini.`,
  nearest: ['Did you mean:', 'Maksud Anda:'],
  noAddress: `Nobody has the email address {email}.
    Tidak ada yang memiliki alamat email {email}.`,
  mailsToAddress: ['Emails to {email}', 'Email ke {email}'],
  noMails: `No email to this address was written in the last day. Check the spelling with the person, and have them request the email again.
    Tidak ada email yang ditulis ke alamat ini dalam sehari terakhir. Periksa ejaannya bersama orangnya, lalu minta mereka meminta email itu lagi.`,
  mailsFull: `{to} has received all of its codes for this hour. No more are sent until {at}.
    {to} sudah mendapat semua kode untuk jam ini. Layanan tidak mengirim lagi ke alamat itu sampai {at}.`,
  mailsHint: `Emails are kept for about a day. If the mail server accepted one, look in the spam folder; a newly requested code replaces the earlier one.
    Email disimpan sekitar sehari. Jika server email sudah menerimanya, periksa folder spam; kode yang diminta lagi menggantikan yang sebelumnya.`,
  firstPeople: ['Back to the first', 'Kembali ke yang pertama'],
  morePeople: ['Show more', 'Tampilkan lagi'],
  qEmpty: ['Type what to search for.', 'Ketik apa yang dicari.'],
  qLong: ['At most 128 characters.', 'Maksimal 128 karakter.'],
  qWildcard: `There are no wildcards: type a whole address or ID, or the beginning of a handle or name.
    Tidak ada wildcard: ketik alamat atau ID lengkap, atau awal handle atau nama.`,
  qPart: ['Type the whole email address or PID.', 'Ketik alamat email atau PID lengkap.'],
  handle: ['by handle', 'dari handle'],
  email: ['by email address', 'dari alamat email'],
  name: ['by name', 'dari nama'],
  subject: ['by the ID of their account at a provider', 'dari ID akunnya di penyedia'],
  credential: ['by credential', 'dari kredensial'],
  session: ['by session', 'dari sesi'],
  request: ['by the ID of a sign-in window (popup)', 'dari ID jendela masuk (popup)'],
  transaction: ['by transaction', 'dari transaksi'],
  noPerson: [
    'Nobody has the PID {pid}, and nobody had.',
    'Tidak ada yang memiliki PID {pid}, dan tidak pernah ada.',
  ],
  looked: `{pid} sees in their activity that support looked, once an hour.
    {pid} melihat di aktivitasnya bahwa tim dukungan melihat akunnya, sekali per jam.`,
  active: ['active', 'aktif'],
  suspended: ['suspended', 'ditangguhkan'],
  closed: ['closed', 'ditutup'],
  frozen: ['frozen', 'dibekukan'],
  verified: ['verified', 'terverifikasi'],
  unverified: ['not verified', 'belum terverifikasi'],
  status: ['Status', 'Status'],
  level: ['Identity check', 'Pemeriksaan identitas'],
  emails: ['Email addresses', 'Alamat email'],
  since: ['Since', 'Sejak'],
  sinceDay: ['since {at}', 'sejak {at}'],
  none: ['None', 'Tidak ada'],
  empty: ['Nothing there: {names}', 'Tidak ada isinya: {names}'],
  credentials: ['Ways to sign in', 'Cara masuk'],
  lastLogin: ['last used {at}', 'terakhir dipakai {at}'],
  sessions: ['Sessions', 'Sesi'],
  lastUsed: ['last used {at}', 'terakhir dipakai {at}'],
  wallet: ['Wallet', 'Dompet'],
  walletFrozen: ['wallet frozen', 'dompet dibekukan'],
  balance: ['Balance', 'Saldo'],
  held: ['Held for payments that are not finished', 'Ditahan untuk pembayaran yang belum selesai'],
  debt: ['Debt', 'Utang'],
  transactions: ['Transactions', 'Transaksi'],
  what: ['What', 'Apa'],
  change: ['Change', 'Perubahan'],
  when: ['When', 'Kapan'],
  amount: ['Amount', 'Jumlah'],
  balanceAfter: ['Balance: {amount}', 'Saldo: {amount}'],
  providerMoney: ['Top-ups and withdrawals', 'Isi saldo dan penarikan'],
  deposit: ['Top-up', 'Isi saldo'],
  withdrawal: ['Withdrawal', 'Penarikan'],
  mails: ['Emails of the last day', 'Email sehari terakhir'],
  mailTo: ['To', 'Kepada'],
  fate: ['State', 'Keadaan'],
  sent: ['accepted by the mail server {at}', 'diterima server email {at}'],
  waiting: ['waiting, after {tries} attempts', 'menunggu, setelah {tries} percobaan'],
  given_up: ['given up after {tries} attempts', 'tidak terkirim setelah {tries} percobaan'],
  grants: ['Allowed apps', 'Aplikasi yang diizinkan'],
  activity: ['Activity', 'Aktivitas'],
  reason: ['Reason', 'Alasan'],
  reasonMissing: ['Say why, in up to 500 characters.', 'Tulis alasannya, maksimal 500 karakter.'],
  waysBack: ['If they cannot sign in', 'Jika tidak bisa masuk'],
  waySuspended: `They are suspended, so no way to sign in works. Let them in again first.
    Akun ini ditangguhkan, jadi tidak ada cara masuk yang berfungsi. Izinkan masuk lagi dahulu.`,
  wayPassword: `With their password. If it is forgotten, send a recovery email. Then they remove a lost passkey and add a new one under Account, Sign-in methods.
    Dengan kata sandi. Jika lupa, kirim email pemulihan. Setelah itu mereka menghapus passkey yang hilang dan menambah yang baru di Akun, Cara masuk.`,
  wayProvider: `With {providers}. Then they remove a lost passkey and add a new one under Account, Sign-in methods.
    Dengan {providers}. Setelah itu mereka menghapus passkey yang hilang dan menambah yang baru di Akun, Cara masuk.`,
  wayPasskey: `With a passkey ({count} registered). Passkeys are usually synced: ask for other devices with the same Apple, Google or Microsoft account, and for their password manager.
    Dengan passkey ({count} terdaftar). Passkey biasanya disinkronkan: tanyakan perangkat lain dengan akun Apple, Google, atau Microsoft yang sama, dan pengelola kata sandinya.`,
  noRecovery: `A recovery email cannot help: it replaces a password, and they have none.
    Email pemulihan tidak membantu: isinya untuk mengganti kata sandi, dan akun ini tidak punya kata sandi.`,
  waySession: `They are still signed in on {devices}. There they can send their money to a new PID, but adding a way to sign in needs one that they still have.
    Mereka masih masuk di {devices}. Di sana uangnya bisa dikirim ke PID baru, tetapi menambah cara masuk memerlukan cara masuk yang masih dimiliki.`,
  wayNone: `If none of this helps, nobody can let them in, because nothing else proves who they are. They claim a new PID; once you have checked who they are, an administrator can move their money to it.
    Jika semua ini tidak membantu, tidak ada yang bisa memasukkan mereka, karena tidak ada bukti lain siapa mereka. Mereka mengklaim PID baru; setelah Anda memeriksa siapa mereka, admin dapat memindahkan uangnya ke sana.`,
  moveMoney: ['Move the money to a new PID', 'Pindahkan uangnya ke PID baru'],
  supportViewed: ['Support looked at the account', 'Layanan bantuan melihat akun ini'],
  supportRecovery: [
    'Support sent a link for a new password',
    'Layanan bantuan mengirim tautan kata sandi baru',
  ],
  grantCreated: ['{app} got access to the account', '{app} mendapat akses ke akun ini'],
  olderAudit: ['Show older', 'Tampilkan yang lebih lama'],
  auditOf: ['Audit log of {pid}', 'Log audit {pid}'],
  backToPerson: ['Back to the person', 'Kembali ke orangnya'],
  suspend: ['Suspend', 'Tangguhkan'],
  suspendAsk: `{pid} is signed out of {count} sessions and cannot sign in. Apps can no longer act for them. Their money stays where it is.
    {pid} keluar dari {count} sesi dan tidak bisa masuk. Aplikasi tidak bisa lagi bertindak untuknya. Uangnya tetap di tempatnya.`,
  activate: ['Let in again', 'Izinkan masuk lagi'],
  activateAsk: `{pid} can sign in again, and the apps they allowed can act again. Sessions that ended stay ended.
    {pid} bisa masuk lagi, dan aplikasi yang diizinkannya bisa bertindak lagi. Sesi yang sudah berakhir tetap berakhir.`,
  verify: ['Mark as verified', 'Tandai terverifikasi'],
  verifyAsk: `You have checked who {pid} is. The wallet limits of verified people apply from now on.
    Anda sudah memeriksa siapa {pid}. Mulai sekarang berlaku batas dompet untuk orang terverifikasi.`,
  unverify: ['Mark as not verified', 'Tandai belum terverifikasi'],
  unverifyAsk: `The wallet limits of people who are not verified apply to {pid} from now on.
    Mulai sekarang berlaku batas dompet untuk orang yang belum terverifikasi bagi {pid}.`,
  freeze: ['Freeze wallet', 'Bekukan dompet'],
  freezeAsk: `Nothing enters or leaves the wallet of {pid}; {amount} stay in it. You can still reverse its payments. In a dispute, freeze the recipient’s wallet too, or they may spend the money meanwhile.
    Tidak ada uang yang masuk atau keluar dari dompet {pid}; {amount} tetap di dalamnya. Pembayarannya tetap bisa Anda batalkan. Dalam sengketa, bekukan juga dompet penerima, atau uangnya bisa dipakai dahulu.`,
  unfreeze: ['Unfreeze wallet', 'Cairkan dompet'],
  unfreezeAsk: `Money can enter and leave the wallet of {pid} again.
    Uang bisa masuk dan keluar lagi dari dompet {pid}.`,
  end: ['End session', 'Akhiri sesi'],
  endAsk: ['{pid} is signed out on {device}.', '{pid} keluar dari {device}.'],
  endAll: ['End all sessions', 'Akhiri semua sesi'],
  endAllAsk: `{pid} is signed out of all {count} sessions, and can sign in again.
    {pid} keluar dari semua {count} sesi, dan bisa masuk lagi.`,
  recovery: ['Send a recovery email', 'Kirim email pemulihan'],
  recoveryAsk: `An email with a link goes to {emails}. Whoever opens it requests a code, which goes to the same mailbox, and then chooses a new password.
    {emails} mendapat email berisi tautan. Yang membukanya meminta kode, yang dikirim ke kotak surat yang sama, lalu membuat kata sandi baru.`,
  reverse: ['Reverse', 'Batalkan'],
  endDone: ['{pid} is signed out on that device.', '{pid} sudah keluar dari perangkat itu.'],
  endAllDone: ['{pid} is signed out everywhere.', '{pid} sudah keluar dari semua perangkat.'],
  recoveryDone: [
    'A recovery email is on its way to {emails}.',
    'Email pemulihan sedang dikirim ke {emails}.',
  ],
  suspendDone: [
    '{pid} is suspended and signed out everywhere.',
    '{pid} ditangguhkan dan sudah keluar dari semua perangkat.',
  ],
  activateDone: ['{pid} can sign in again.', '{pid} bisa masuk lagi.'],
  verifyDone: ['{pid} is verified.', '{pid} terverifikasi.'],
  unverifyDone: ['{pid} is no longer verified.', '{pid} tidak lagi terverifikasi.'],
  freezeDone: ['The wallet of {pid} is frozen.', 'Dompet {pid} dibekukan.'],
  unfreezeDone: ['The wallet of {pid} is no longer frozen.', 'Dompet {pid} tidak lagi dibekukan.'],
  reverseDone: [
    'A payment of {pid} is reversed, as shown below.',
    'Pembayaran {pid} dibatalkan, seperti terlihat di bawah.',
  ],
  target: ['About', 'Tentang'],
  from: ['From day', 'Dari hari'],
  to: ['To day', 'Sampai hari'],
  filter: ['Show', 'Tampilkan'],
  csv: ['Download as CSV', 'Unduh sebagai CSV'],
  noLines: ['No entries', 'Tidak ada entri'],
  dayHint: ['Days in Jakarta.', 'Hari di Jakarta.'],
});
