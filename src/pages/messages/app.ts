import { catalogue } from '../../lib/texts.ts';

/** The heading and tabs of developers' pages. */
export const appTexts = catalogue({
  heading: ['Your apps', 'Aplikasi Anda'],
  lead: `Register an app so that people can sign in to it with their PID.
    Daftarkan aplikasi agar orang bisa masuk ke sana dengan PID mereka.`,
  empty: ['You have no apps', 'Anda belum memiliki aplikasi'],
  emptyAdvice: `Register one to get its ID and, if it has a server, a secret.
    Daftarkan satu untuk mendapatkan ID-nya dan, jika memakai server, rahasianya.`,
  register: ['Register an app', 'Daftarkan aplikasi'],
  created: ['Registered {when}', 'Didaftarkan {when}'],
  since: ['Registered', 'Didaftarkan'],
  suspended: ['Suspended', 'Ditangguhkan'],
  suspendedNotice: `An administrator has suspended this app, so it cannot act for anybody. You can delete it, but not change it.
    Administrator menangguhkan aplikasi ini, sehingga tidak dapat bertindak untuk siapa pun. Anda dapat menghapusnya, tetapi tidak mengubahnya.`,
  web: ['Web app', 'Aplikasi web'],
  spa: ['Single-page app', 'Aplikasi satu halaman (SPA)'],
  native: ['Native app', 'Aplikasi native'],
  address: ['Address', 'Alamat'],
  addressHint: `Where people return after they sign in, such as https://shop.example.com/callback. For a single-page app, the page itself.
    Tujuan setelah masuk, misalnya https://shop.example.com/callback. Untuk aplikasi satu halaman, halaman itu sendiri.`,
  advanced: ['Advanced', 'Lanjutan'],
  ready: ['Your app is ready', 'Aplikasi Anda siap'],
  readyWeb: `Save this as server.mjs, and run it with Node.js where the address of the app leads. The secret is shown only here.
    Simpan sebagai server.mjs, lalu jalankan dengan Node.js di tempat yang dituju alamat aplikasi. Rahasianya hanya ditampilkan di sini.`,
  readySpa: `Save this as index.html, and serve it at the address of the app.
    Simpan sebagai index.html, lalu sajikan di alamat aplikasi.`,
  readyNative: `Give this to your OpenID Connect library, such as AppAuth.
    Berikan ini kepada pustaka OpenID Connect Anda, misalnya AppAuth.`,
  snippet: ['Code', 'Kode'],
  copySnippet: ['Copy code', 'Salin kode'],
  settings: ['Settings', 'Pengaturan'],
  id: ['App ID', 'ID aplikasi'],
  name: ['Name', 'Nama'],
  nameHint: `Up to 64 characters. People see it when they sign in.
    Maksimal 64 karakter. Ditampilkan kepada orang yang masuk.`,
  type: ['Type', 'Jenis'],
  typeHint: `A web app has a server that keeps a secret. The others have none. You cannot change the type later.
    Aplikasi web memakai server yang menyimpan rahasia. Yang lain tidak. Jenis tidak bisa diubah nanti.`,
  redirectUris: ['Redirect URIs', 'Redirect URI'],
  redirectUrisHint: `Where people may return after they sign in. One per line, at most 10.
    Tujuan setelah masuk. Satu per baris, maksimal 10.`,
  allowedOrigins: ['Origins', 'Origin'],
  allowedOriginsHint: `Where pages of the app run, such as https://shop.example.com. One per line, at most 10.
    Alamat halaman aplikasi, misalnya https://shop.example.com. Satu per baris, maksimal 10.`,
  homepageUrl: ['Home page (optional)', 'Halaman utama (opsional)'],
  privacyUrl: ['Privacy policy (optional)', 'Kebijakan privasi (opsional)'],
  logoUrl: ['Logo (optional)', 'Logo (opsional)'],
  logoUrlHint: `A public https address of a square PNG of at most 1,024 pixels and 64 kB. It is fetched once, when you save. People see the logo, home page and privacy policy once an administrator has checked the app and it is a week old.
    Alamat https publik sebuah PNG persegi, maksimal 1.024 piksel dan 64 kB. Diambil sekali, saat Anda menyimpan. Logo, halaman utama, dan kebijakan privasi tampil setelah aplikasi diperiksa administrator dan berumur seminggu.`,
  scopes: ['What it may ask people for', 'Yang boleh diminta dari pengguna'],
  postLogoutRedirectUris: [
    'Redirect URIs after sign-out (optional)',
    'Redirect URI setelah keluar (opsional)',
  ],
  postLogoutRedirectUrisHint: `Where people may return after the app has signed them out of their PID. One per line, at most 10.
    Tujuan setelah aplikasi mengeluarkan orang dari PID-nya. Satu per baris, maksimal 10.`,
  backchannelLogoutUri: ['Logout address (optional)', 'Alamat keluar (opsional)'],
  backchannelLogoutUriHint: `Receives a logout token when somebody signs out of their PID or removes the access of the app.
    Menerima token keluar saat seseorang keluar dari PID-nya atau mencabut izin aplikasi.`,
  idTokenAlg: ['ID token signature', 'Tanda tangan token ID'],
  idTokenAlgHint: `Every client supports RS256. ES256 is faster, and its tokens are shorter.
    Semua klien mendukung RS256. ES256 lebih cepat, dan tokennya lebih pendek.`,
  pkce: ['PKCE', 'PKCE'],
  pkceRequired: ['Required', 'Wajib'],
  pkceNonce: ['A nonce is enough', 'Nonce sudah cukup'],
  pkceHint: `Keep PKCE required if your client supports it. A web app may accept a nonce instead; its client must then check the nonce in the ID token.
    Biarkan PKCE wajib jika klien Anda mendukungnya. Aplikasi web boleh menerima nonce sebagai gantinya; kliennya harus memeriksa nonce di token ID.`,
  pkceNotice: `Requests without PKCE are accepted if they have a nonce. Anyone who steals a code still needs the secret of the app.
    Permintaan tanpa PKCE diterima jika memiliki nonce. Orang yang mencuri kode tetap memerlukan rahasia aplikasi.`,
  badPkce: `Only a web app can accept a nonce, because the others have no secret
    Hanya aplikasi web yang dapat menerima nonce, karena yang lain tidak memiliki rahasia`,
  deviceFlow: ['Devices without a browser', 'Perangkat tanpa browser'],
  deviceFlowOff: ['Cannot sign people in', 'Tidak dapat dipakai untuk masuk'],
  deviceFlowOn: ['Sign people in by a code', 'Masuk dengan kode'],
  deviceFlowHint: `For a TV, a console or a command line. Leave it off if the app has no such device. Never for an app in the browser.
    Untuk TV, konsol, atau baris perintah. Biarkan mati jika aplikasi tidak punya perangkat seperti itu. Tidak untuk aplikasi di browser.`,
  deviceFlowNotice: `Devices sign people in to this app by a code. Such a sign-in never gives access to a wallet.
    Perangkat dapat masuk ke aplikasi ini dengan kode. Cara masuk ini tidak pernah memberi akses ke dompet.`,
  badDeviceFlow: `An app in the browser has no such device
    Aplikasi di browser tidak punya perangkat seperti itu`,
  save: ['Save', 'Simpan'],
  badUri: `{entry} is not an https address or an address on this computer
    {entry} bukan alamat https atau alamat di komputer ini`,
  badOrigin: `{entry} is not an origin: https:// and a host, without a path
    {entry} bukan origin: https:// dan nama host, tanpa path`,
  badResource: `{entry} is not an https address of another service
    {entry} bukan alamat https layanan lain`,
  notProven: `The file at this address was not found, or does not name this app as owner
    Berkas di alamat ini tidak ditemukan, atau tidak menyebut aplikasi ini sebagai pemilik`,
  badLogo: `This address must answer without a redirect, with a PNG of at most 1,024 by 1,024 pixels and 64 kB
    Alamat ini harus menjawab tanpa pengalihan dengan PNG berukuran maksimal 1.024 kali 1.024 piksel dan 64 kB`,
  tooMany: ['Enter at most 10', 'Masukkan maksimal 10'],
  repeated: ['This entry appears twice', 'Entri ini muncul dua kali'],
  deleteHeading: ['Delete this app', 'Hapus aplikasi ini'],
  deleteLead: `Its secrets, origins and webhook stop working at once. You cannot undo this.
    Rahasia, origin, dan webhook-nya langsung tidak berlaku. Tindakan ini tidak bisa dibatalkan.`,
  delete: ['Delete', 'Hapus'],
  deleteTitle: ['Delete {app}?', 'Hapus {app}?'],
});

export const feeTexts = catalogue({
  revenue: ['Revenue', 'Pendapatan'],
  revenueLead: ['Fees that the app has collected.', 'Biaya yang dikumpulkan aplikasi ini.'],
  debt: ['{amount} was taken back after it was paid out', '{amount} ditarik kembali setelah dibayarkan'],
  sweep: ['Move it to your wallet', 'Pindahkan ke dompet Anda'],
  heading: ['Fees', 'Biaya'],
  lead: `What the app charges for a movement of money, on top of what this service charges.
    Yang diambil aplikasi untuk setiap perpindahan uang, di luar biaya layanan ini.`,
  none: ['The app charges no fees', 'Aplikasi ini tidak mengambil biaya'],
  operation: ['Operation', 'Operasi'],
  fee: ['Fee', 'Biaya'],
  by: ['Paid by', 'Dibayar oleh'],
  deposit: ['Top-up', 'Isi saldo'],
  transfer: ['Payment', 'Pembayaran'],
  withdrawal: ['Withdrawal', 'Penarikan'],
  payer: ['Payer', 'Pembayar'],
  payee: ['Recipient', 'Penerima'],
  change: ['Change a fee', 'Ubah biaya'],
  fixed: ['Fixed amount', 'Jumlah tetap'],
  bps: ['Share', 'Bagian'],
  bpsHint: ['Hundredths of a percent: 70 is 0.7%.', 'Perseratus persen: 70 berarti 0,7%.'],
  least: ['at least {amount}', 'paling sedikit {amount}'],
  most: ['at most {amount}', 'paling banyak {amount}'],
  noFee: ['None', 'Tidak ada'],
  min: ['At least (optional)', 'Paling sedikit (opsional)'],
  max: ['At most (optional)', 'Paling banyak (opsional)'],
  payerHint: ['Only a payment has a recipient.', 'Hanya pembayaran yang punya penerima.'],
  save: ['Save fee', 'Simpan biaya'],
  badNumber: [
    'Enter a whole number that is not too large',
    'Masukkan bilangan bulat yang tidak terlalu besar',
  ],
  inOrder: ['This is less than the amount before', 'Ini kurang dari jumlah sebelumnya'],
});

export const resourceTexts = catalogue({
  heading: ['Resources', 'Sumber daya'],
  lead: `Your APIs elsewhere that take access tokens. Only registered ones can be asked for.
    API Anda di tempat lain yang menerima token akses. Hanya yang terdaftar bisa diminta.`,
  address: ['Address of the API', 'Alamat API'],
  proof: `An https address. Its host proves that it is yours with this file at /.well-known/pid-resource; other apps that use the API go into clients:
    Alamat https. Host-nya membuktikan bahwa alamat itu milik Anda dengan berkas ini di /.well-known/pid-resource; aplikasi lain yang memakai API itu ditulis di clients:`,
  add: ['Add resource', 'Tambah sumber daya'],
  clients: ['May also be used by {apps}', 'Boleh juga dipakai oleh {apps}'],
  check: ['Read the file again', 'Baca ulang berkas'],
  checkNamed: ['Read the file again: {resource}', 'Baca ulang berkas {resource}'],
  remove: ['Remove', 'Hapus'],
  removeNamed: ['Remove {resource}', 'Hapus {resource}'],
});

export const secretTexts = catalogue({
  heading: ['Secrets', 'Rahasia'],
  lead: `The server of this app uses a secret to prove its identity. Each secret is shown only once.
    Server aplikasi ini membuktikan identitasnya dengan rahasia. Setiap rahasia hanya ditampilkan sekali.`,
  none: `There is no secret, so the server of this app cannot prove its identity.
    Tidak ada rahasia, jadi server aplikasi ini tidak bisa membuktikan identitasnya.`,
  endsWith: ['Ends with {hint}', 'Berakhiran {hint}'],
  made: ['Created {when}', 'Dibuat {when}'],
  current: ['Current', 'Dipakai'],
  expires: ['Expires {when}', 'Berakhir {when}'],
  revoke: ['Revoke', 'Cabut'],
  revokeNamed: ['Revoke the secret that ends with {hint}', 'Cabut rahasia yang berakhiran {hint}'],
  revokeTitle: ['Revoke the secret that ends with {hint}?', 'Cabut rahasia yang berakhiran {hint}?'],
  revokeText: ['It stops working at once.', 'Rahasia itu langsung tidak berlaku.'],
  revokeOnly: `This is the only secret. Until you create another, the server of this app cannot prove its identity.
    Ini satu-satunya rahasia. Sebelum Anda membuat yang baru, server aplikasi ini tidak bisa membuktikan identitasnya.`,
  rotateHeading: ['Replace the secret', 'Ganti rahasia'],
  rotate: ['Create a new secret', 'Buat rahasia baru'],
  overlap: ['Keep the previous secret valid for', 'Rahasia lama tetap berlaku selama'],
  signAlong: `Keep signing with the previous secret for
    Tetap tanda tangani juga dengan rahasia lama selama`,
  seconds0: ['No time', 'Tidak sama sekali'],
  seconds3600: ['An hour', 'Satu jam'],
  seconds86400: ['A day', 'Satu hari'],
  seconds604800: ['A week', 'Satu minggu'],
  newSecret: ['Your new secret', 'Rahasia baru Anda'],
  newSigningSecret: ['Your new signing secret', 'Rahasia penandatanganan baru Anda'],
  copyNow: ['Copy it now. It is not shown again.', 'Salin sekarang. Rahasia ini tidak ditampilkan lagi.'],
  copy: ['Copy', 'Salin'],
});

export const webhookTexts = catalogue({
  heading: ['Webhook', 'Webhook'],
  lead: `Sends signed events about this app to your server.
    Mengirim peristiwa aplikasi ini, lengkap dengan tanda tangan, ke server Anda.`,
  url: ['Address', 'Alamat'],
  urlHint: ['A public https address.', 'Alamat https publik.'],
  badUrl: ['The address must be https on a public host', 'Alamat harus https dengan host publik'],
  set: ['Set webhook', 'Pasang webhook'],
  save: ['Save address', 'Simpan alamat'],
  active: ['Enabled', 'Aktif'],
  disabled: ['Disabled', 'Nonaktif'],
  failing: `Every delivery has failed since {when}. After three days the webhook is disabled.
    Semua pengiriman gagal sejak {when}. Setelah tiga hari webhook dinonaktifkan.`,
  disabledNotice: `No events are sent. Failed events are sent again when you enable it.
    Peristiwa tidak dikirim. Yang gagal dikirim ulang saat Anda mengaktifkannya.`,
  enable: ['Enable', 'Aktifkan'],
  disable: ['Disable', 'Nonaktifkan'],
  test: ['Send a test', 'Kirim uji coba'],
  took: `The receiver accepted the test with status {status} after {ms} ms
    Uji coba diterima dengan status {status} setelah {ms} md`,
  refusedIt: `The receiver answered the test with status {status} after {ms} ms
    Uji coba dijawab dengan status {status} setelah {ms} md`,
  noAnswer: `No answer to the test: {error}
    Tidak ada jawaban atas uji coba: {error}`,
  rotateHeading: ['Replace the signing secret', 'Ganti rahasia penandatanganan'],
  rotate: ['Create a new signing secret', 'Buat rahasia penandatanganan baru'],
  delete: ['Delete webhook', 'Hapus webhook'],
  deleteTitle: ['Delete the webhook?', 'Hapus webhook?'],
  deleteText: `No more events are sent, not even those that are waiting. The signing secret is deleted.
    Peristiwa tidak dikirim lagi, termasuk yang menunggu. Rahasia penandatanganannya dihapus.`,
  events: ['Events', 'Peristiwa'],
  eventsLead: ['Events of the last 30 days, newest first.', 'Peristiwa 30 hari terakhir, dari yang terbaru.'],
  noEvents: ['No events yet', 'Belum ada peristiwa'],
  noEventsAdvice: `An event appears here when you replace the secret, for example.
    Peristiwa muncul di sini, misalnya saat Anda mengganti rahasia.`,
  event: ['Event', 'Peristiwa'],
  state: ['Delivery', 'Pengiriman'],
  action: ['Action', 'Tindakan'],
  delivered: ['Delivered', 'Terkirim'],
  waiting: ['Waiting', 'Menunggu'],
  failed: ['Failed', 'Gagal'],
  none: ['Not sent', 'Tidak dikirim'],
  next: ['next try {when}', 'percobaan berikutnya {when}'],
  attempts: ['Attempts: {count}', 'Percobaan: {count}'],
  answered: ['status {status}, {ms} ms', 'status {status}, {ms} md'],
  unanswered: ['no answer', 'tanpa jawaban'],
  redeliver: ['Send again', 'Kirim ulang'],
  redeliverNamed: ['Send again: {id}', 'Kirim ulang: {id}'],
});
