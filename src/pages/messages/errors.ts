import { type ErrorCode, type ErrorStatus, messageByCode } from '../../errors.ts';
import { type Catalogue, catalogue } from '../../lib/texts.ts';

/** The text for each error. The English texts are the API's own. */
export const errorTexts: Catalogue<ErrorCode> = {
  en: messageByCode,
  id: {
    validation_failed: 'Permintaan ini tidak valid',
    malformed_body: 'Isi permintaan bukan JSON yang valid',
    host_invalid: 'Header Host tidak valid',
    sign_in_cancelled: 'Proses masuk dibatalkan',
    provider_error: 'Penyedia identitas menolak proses masuk',
    state_invalid:
      'Proses masuk ini tidak dimulai di browser ini, sudah kedaluwarsa, atau sudah pernah dipakai',
    prefetch_refused: 'Alamat ini tidak dapat dimuat lebih awal',
    code_refused: 'Kode ini salah atau sudah kedaluwarsa',
    last_credential: 'Cara masuk terakhir tidak dapat dihapus',
    webhook_disabled: 'Webhook ini dinonaktifkan',
    only_secret: 'Rahasia satu-satunya tidak dapat dicabut',
    wrong_handle: 'Handle itu bukan milik identitas ini',
    popup_altered: 'Permintaan persetujuan telah diubah',
    popup_expired: 'Permintaan persetujuan sudah kedaluwarsa',
    redirect_uri_unknown: 'Alamat kembali ini tidak terdaftar untuk aplikasi ini',
    authorize_altered: 'Permintaan ini telah diubah',
    authorize_gone: 'Permintaan ini sudah kedaluwarsa, atau sudah dijawab',
    invalid_grant: 'Kode atau token tidak valid, kedaluwarsa, atau sudah dipakai',
    invalid_scope: 'Cakupan tidak dikenal, atau melebihi yang diberikan',
    invalid_target: 'Sumber daya itu bukan bagian dari proses masuk ini',
    unsupported_grant_type: 'Jenis grant tidak didukung',
    invalid_dpop_proof: 'Bukti DPoP tidak ada atau tidak valid',
    use_dpop_nonce: 'Bukti DPoP memerlukan nonce',
    authorization_pending: 'Belum diputuskan',
    slow_down: 'Terlalu sering bertanya',
    expired_token: 'Kode sudah kedaluwarsa',
    access_denied: 'Permintaan ini ditolak',
    unauthorized_client: 'Klien tidak boleh memakai jenis grant ini',
    invalid_client: 'Autentikasi klien gagal',
    invalid_token: 'Token akses tidak valid atau sudah kedaluwarsa',
    fee_too_high: 'Biaya lebih tinggi daripada yang boleh diambil aplikasi',
    amount_too_small: 'Jumlah terlalu kecil: setelah biaya paling sedikit harus tersisa 1 IDR',
    amount_too_large: 'Jumlah terlalu besar: paling banyak 1000000000000 IDR',
    deposit_too_small: 'Jumlah terlalu kecil: setoran paling sedikit 10000 IDR',
    deposit_final: 'Setoran ini tidak dapat dibatalkan lagi',
    own_wallet: 'Tidak dapat mengirim ke dompet sendiri',
    inquiry_expired: 'Permintaan transfer sudah kedaluwarsa',
    inquiry_not_open: 'Permintaan transfer ini tidak dapat dibatalkan lagi',
    approval_expired: 'Permintaan persetujuan sudah kedaluwarsa',
    for_hold: 'Permintaan transfer ini untuk menahan uang lebih dulu',
    not_for_hold: 'Permintaan transfer ini bukan untuk menahan uang',
    capture_exceeds: 'Jumlahnya melebihi uang yang ditahan',
    hold_captured: 'Uang yang ditahan sudah dibayarkan',
    hold_released: 'Uang yang ditahan sudah dilepaskan',
    hold_expired: 'Masa penahanan uang sudah berakhir',
    approval_not_needed: 'Transfer ini tidak memerlukan persetujuan',
    already_reversed: 'Transaksi ini sudah dibatalkan',
    not_refundable: 'Transfer ini tidak dapat dikembalikan lagi',
    refund_exceeds: 'Pengembalian melebihi sisa transfer',
    insufficient_internal_credit: 'Saldo tidak mencukupi',
    quote_expired: 'Rincian penarikan sudah kedaluwarsa',
    withdrawal_final: 'Penarikan ini tidak dapat dibatalkan lagi',
    idempotency_key_required: 'Idempotency-Key wajib diisi',
    session_ended: 'Sesi sudah berakhir',
    unauthenticated: 'Anda perlu masuk terlebih dahulu',
    no_session: 'Anda perlu masuk terlebih dahulu',
    refresh_refused: 'Sesi Anda sudah berakhir',
    password_refused: 'Email atau kata sandi salah',
    passkey_refused: 'Passkey ini tidak diterima',
    passkey_unknown: 'Passkey ini tidak diterima',
    invalid_signature: 'Tanda tangan tidak valid',
    origin_not_allowed: 'Asal permintaan tidak diizinkan',
    origin_not_first_party:
      'Cookie tidak berlaku di halaman aplikasi ini: pakai token aksesnya, atau minta pengelola menandai aplikasi ini sebagai pihak pertama',
    missing_scope: 'Aplikasi ini tidak punya izin untuk itu',
    grant_revoked: 'Akses ini sudah dicabut',
    grant_expired: 'Akses ini sudah kedaluwarsa',
    not_fresh: 'Masuk lagi untuk melanjutkan',
    admin_only: 'Khusus admin',
    self_decision: 'Admin lain yang harus memutuskan',
    no_second_administrator: 'Jumlah ini memerlukan persetujuan admin kedua, dan tidak ada admin kedua',
    app_suspended: 'Aplikasi ini ditangguhkan',
    grant_recipient: 'Penerima tidak termasuk dalam izin aplikasi',
    grant_limit_exceeded: 'Batas pembayaran izin aplikasi terlampaui',
    limit_payment: 'Jumlahnya melebihi batas satu pembayaran',
    limit_day: 'Jumlahnya melebihi batas sehari',
    limit_month: 'Jumlahnya melebihi batas sebulan',
    limit_held: 'Jumlahnya melebihi batas saldo dompet',
    recipient_limit: 'Penerima tidak dapat menerima jumlah ini sekarang',
    approval_required: 'Persetujuan pengguna diperlukan',
    approval_rejected: 'Transfer ditolak',
    other_person: 'Anda masuk sebagai orang lain',
    wallet_frozen: 'Dompet dibekukan',
    wallet_closed: 'Dompet sudah ditutup',
    withdrawals_disabled: 'Penarikan dinonaktifkan',
    identity_suspended: 'Identitas ini ditangguhkan',
    identity_closed: 'Identitas ini sudah ditutup',
    not_found: 'Tidak ditemukan',
    credential_not_found: 'Kredensial tidak ada',
    session_not_found: 'Sesi tidak ada',
    identity_not_found: 'Identitas tidak ada',
    popup_not_found: 'Permintaan jendela ini tidak ada',
    grant_not_found: 'Akses ini tidak ada',
    app_not_found: 'Aplikasi tidak ada',
    client_document_invalid: 'Alamat aplikasi ini tidak mengarah ke keterangannya',
    client_unregistered: 'Aplikasi yang tidak terdaftar hanya dapat ditangguhkan',
    too_many_clients: 'Satu identitas paling banyak mengizinkan 50 aplikasi yang tidak terdaftar',
    secret_not_found: 'Rahasia tidak ada',
    webhook_not_found: 'Webhook tidak ada',
    event_not_found: 'Peristiwa tidak ada',
    wallet_not_found: 'Dompet tidak ada',
    recipient_unavailable: 'Penerima tidak dikenal',
    transaction_not_found: 'Transaksi tidak dikenal',
    report_not_found: 'Laporan tidak dikenal',
    case_not_found: 'Selisih tidak dikenal',
    proposal_not_found: 'Usulan tidak ada',
    bank_account_unknown: 'Rekening bank tidak dikenal',
    handle_taken: 'PID ini sudah dipakai',
    // The interface fixes this text in every language.
    email_conflict: messageByCode.email_conflict,
    credential_already_linked: 'Kredensial ini sudah tertaut',
    popup_exists: 'Permintaan jendela ini sudah ada',
    closure_blocked: 'Identitas ini belum dapat ditutup',
    no_password: 'Orang ini tidak punya kata sandi',
    identity_final: 'Identitas yang sudah ditutup tidak dapat dibuka lagi',
    too_many_credentials: 'Satu identitas paling banyak memiliki 50 cara masuk',
    too_many_apps: 'Satu identitas paling banyak memiliki 50 aplikasi',
    too_many_secrets: 'Satu aplikasi paling banyak memiliki 10 rahasia yang berlaku',
    too_many_resources: 'Satu aplikasi paling banyak memiliki 10 sumber daya',
    resource_taken: 'Sumber daya ini milik aplikasi lain',
    app_balance: 'Saldo aplikasi belum nol',
    day_open: 'Hari ini belum dapat ditutup',
    moved_on: 'Keadaannya sudah berubah',
    fee_changed: 'Biaya ini sudah diubah oleh orang lain',
    idempotency_key_reused: 'Idempotency-Key sudah dipakai untuk permintaan lain',
    ticket_gone: 'Tiket klaim sudah kedaluwarsa',
    body_too_large: 'Isi permintaan terlalu besar',
    unsupported_media_type: 'Isi permintaan harus application/json',
    rate_limited: 'Terlalu banyak permintaan',
    internal: 'Terjadi kesalahan di server',
    provider_failed: 'Penyedia identitas tidak menjawab sebagaimana mestinya',
    provider_not_configured: 'Masuk lewat penyedia luar belum diatur di server ini',
    gateway_not_configured: 'Gerbang pembayaran belum diatur di server ini',
    gateway_unavailable: 'Gerbang pembayaran sedang tidak dapat dihubungi',
    ledger_disabled: 'Buku besar dinonaktifkan',
    ledger_frozen: 'Buku besar dibekukan',
    unavailable: 'Layanan sedang tidak tersedia',
  },
};

/** The remaining part of a limit. */
export const limitTexts = catalogue({ left: ['{left} of {most} left', 'tersisa {left} dari {most}'] });

type HeadingKey = `s${ErrorStatus}`;

/** The title of an error page, by status. */
export const errorHeadings = catalogue<HeadingKey>({
  s400: ['This did not work', 'Tidak berhasil'],
  s401: ['Sign in first', 'Masuk terlebih dahulu'],
  s403: ['Not allowed', 'Tidak diizinkan'],
  s404: ['Page not found', 'Halaman tidak ditemukan'],
  s409: ['Already in use', 'Sudah dipakai'],
  s410: ['This link expired', 'Tautan ini sudah kedaluwarsa'],
  s413: ['This form is too long', 'Isi formulir terlalu panjang'],
  s415: ['This did not work', 'Tidak berhasil'],
  s429: ['Too many tries', 'Terlalu banyak percobaan'],
  s500: ['Something went wrong', 'Terjadi kesalahan'],
  s502: ['The provider did not answer', 'Penyedia tidak menjawab'],
  s503: ['Temporarily unavailable', 'Sedang tidak tersedia'],
});

/** Advice for errors that people can resolve. */
export const errorAdvice = catalogue({
  sign_in_cancelled: `Nothing was changed. You can start again whenever you like.
    Tidak ada yang berubah. Anda dapat memulai lagi kapan saja.`,
  provider_error: `Nothing was changed. Start again, and accept the request if you want to sign in.
    Tidak ada yang berubah. Mulai lagi, lalu setujui permintaannya jika Anda ingin masuk.`,
  state_invalid: ['Start the sign-in again, in this browser.', 'Mulai lagi proses masuk di browser ini.'],
  email_conflict: `This email address already belongs to another PID. Sign in the way you did when you claimed that one.
    Alamat email ini sudah menjadi milik PID lain. Masuklah dengan cara yang Anda pakai saat mengklaim PID itu.`,
  credential_already_linked: `It already signs in to a PID. If that PID is not yours, it must be removed there before you can add it here.
    Cara masuk ini sudah dipakai untuk sebuah PID. Jika PID itu bukan milik Anda, cara masuk ini harus dihapus di sana sebelum dapat ditambahkan di sini.`,
  popup_altered: `This request has changed since you decided. Nothing was done.
    Permintaan ini berubah setelah Anda menjawab. Tidak ada yang dilakukan.`,
  popup_expired: `Close this window and start again in the app.
    Tutup jendela ini, lalu mulai lagi dari aplikasi.`,
  redirect_uri_unknown: `The app asked us to send you to an address that it has not registered. Nothing was sent there.
    Aplikasi mengarahkan Anda ke alamat yang tidak terdaftar. Tidak ada yang dikirim ke sana.`,
  authorize_altered: `Nothing was done. Go back and check what the app asks for.
    Tidak ada yang berubah. Kembali, lalu periksa lagi apa yang diminta aplikasi.`,
  authorize_gone: `Return to the app and start again there.
    Kembali ke aplikasi, lalu mulai lagi dari sana.`,
  app_not_found: `It may have been deleted, or its id may be mistyped.
    Aplikasi itu mungkin sudah dihapus, atau id-nya salah ketik.`,
  client_document_invalid: `This app is not registered here, and what is needed to know it could not be read. Nothing was sent to it. Try again in a minute.
    Aplikasi ini tidak terdaftar di sini, dan keterangan tentangnya tidak dapat dibaca. Tidak ada yang dikirim ke aplikasi itu. Coba lagi satu menit lagi.`,
  too_many_clients: `Remove the access of apps that you no longer use. Each removed app counts for another 90 days.
    Hapus akses aplikasi yang tidak lagi Anda pakai. Aplikasi yang dihapus masih dihitung selama 90 hari.`,
  app_suspended: `Until it is allowed again, nobody can sign in to it, and its owner can only read and delete it.
    Sampai diizinkan lagi, tidak ada yang dapat masuk ke aplikasi ini, dan pemiliknya hanya dapat melihat dan menghapusnya.`,
  ticket_gone: `Choosing a PID has to be finished within 10 minutes of signing in. Sign in again to continue.
    PID harus dipilih dalam 10 menit setelah masuk. Masuk lagi untuk melanjutkan.`,
  unauthenticated: ['Sign in to see this page.', 'Masuk untuk melihat halaman ini.'],
  refresh_refused: ['Your session ended.', 'Sesi Anda sudah berakhir.'],
  not_fresh: `This needs a recent sign-in, so that nobody else can do it from a device you left open.
    Langkah ini memerlukan proses masuk yang baru, supaya tidak dilakukan orang lain dari perangkat yang Anda tinggalkan.`,
  identity_suspended: `You cannot sign in or pay. Support can tell you why, and what to do if it is a mistake.
    Anda tidak dapat masuk atau membayar. Layanan bantuan dapat menjelaskan alasannya, dan apa yang perlu dilakukan jika ini keliru.`,
  origin_not_allowed: `The form came from another site. Open this page at its own address and try again.
    Formulir ini datang dari situs lain. Buka halaman ini dari alamatnya sendiri, lalu coba lagi.`,
  not_found: `The address may be mistyped, or what was there is gone.
    Alamatnya mungkin salah ketik, atau isinya sudah tidak ada.`,
  provider_failed: `Nothing was changed. Try again in a moment.
    Tidak ada yang berubah. Coba lagi sebentar lagi.`,
  provider_not_configured: `Whoever runs this service has to set up an identity provider first.
    Pengelola layanan ini harus mengatur penyedia identitas terlebih dahulu.`,
  unavailable: `Nothing was changed. Try again in a moment.
    Tidak ada yang berubah. Coba lagi sebentar lagi.`,
  internal: `This is our fault. Try again; if it happens again, tell support the request id below.
    Ini kesalahan kami. Coba lagi; jika terulang, sampaikan ID permintaan di bawah ini kepada layanan bantuan.`,
  rate_limited: `There were too many tries in a short time. Nothing was changed.
    Terlalu banyak percobaan dalam waktu singkat. Tidak ada yang berubah.`,
});

/** Other texts of an error page. */
export const errorPageTexts = catalogue({
  waitSeconds: ['Try again in {seconds} seconds.', 'Coba lagi dalam {seconds} detik.'],
  waitMinutes: ['Try again in {minutes} minutes.', 'Coba lagi dalam {minutes} menit.'],
  waitUntil: ['Try again at {at}.', 'Coba lagi pukul {at}.'],
  newestCode: [
    'If you got several codes by email, use the newest one.',
    'Jika Anda menerima beberapa kode lewat email, pakai yang terbaru.',
  ],
  suspended: ['Your account is suspended', 'Akun Anda ditangguhkan'],
  askOperator: [
    'You cannot sign in or pay. The operator of this service can tell you why.',
    'Anda tidak dapat masuk atau membayar. Pengelola layanan ini dapat menjelaskan alasannya.',
  ],
  anotherAccount: ['Use another account', 'Gunakan akun lain'],
  waitOver: ['You can try again now.', 'Anda dapat mencoba lagi sekarang.'],
  tryAgain: ['Try again', 'Coba lagi'],
  signIn: ['Sign in', 'Masuk'],
  support: ['Contact support', 'Hubungi layanan bantuan'],
  back: ['Go back', 'Kembali'],
  toAccount: ['Go to your account', 'Buka akun Anda'],
  requestId: ['Request ID', 'ID permintaan'],
});
