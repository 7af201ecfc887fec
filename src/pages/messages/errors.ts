import { type ErrorCode, type ErrorStatus, messageByCode } from '../../errors.ts';
import { catalogue } from '../../ui/locale.ts';

/** The text of each error. In English it is the API's own. */
export const errorTexts = catalogue<ErrorCode>({
  en: messageByCode,
  id: {
    validation_failed: 'Permintaan ini tidak valid',
    malformed_body: 'Isi permintaan bukan JSON yang valid',
    host_invalid: 'Header Host tidak valid',
    sign_in_cancelled: 'Proses masuk dibatalkan',
    provider_error: 'Penyedia identitas menolak proses masuk',
    state_invalid:
      'Proses masuk ini tidak dimulai di peramban ini, sudah kedaluwarsa, atau sudah pernah dipakai',
    prefetch_refused: 'Alamat ini tidak dapat dimuat lebih awal',
    code_refused: 'Kode ini salah atau sudah kedaluwarsa',
    last_credential: 'Kredensial terakhir tidak dapat diputuskan',
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
    unauthorized_client: 'Klien tidak boleh memakai jenis grant ini',
    invalid_client: 'Autentikasi klien gagal',
    invalid_token: 'Token akses tidak valid atau sudah kedaluwarsa',
    unauthenticated: 'Anda perlu masuk terlebih dahulu',
    no_session: 'Anda perlu masuk terlebih dahulu',
    refresh_refused: 'Token penyegar tidak valid, kedaluwarsa, atau sudah dipakai',
    password_refused: 'Email atau kata sandi salah',
    passkey_refused: 'Passkey ini tidak diterima',
    passkey_unknown: 'Passkey ini tidak diterima',
    origin_not_allowed: 'Asal permintaan tidak diizinkan',
    missing_scope: 'Aplikasi ini tidak punya izin untuk itu',
    grant_revoked: 'Akses ini sudah dicabut',
    grant_expired: 'Akses ini sudah kedaluwarsa',
    not_fresh: 'Masuk lagi untuk melanjutkan',
    admin_only: 'Khusus admin',
    app_suspended: 'Aplikasi ini ditangguhkan',
    identity_suspended: 'Identitas ini ditangguhkan',
    identity_closed: 'Identitas ini sudah ditutup',
    not_found: 'Tidak ditemukan',
    credential_not_found: 'Kredensial tidak ada',
    session_not_found: 'Sesi tidak ada',
    identity_not_found: 'Identitas tidak ada',
    popup_not_found: 'Permintaan jendela ini tidak ada',
    app_not_found: 'Aplikasi tidak ada',
    secret_not_found: 'Rahasia tidak ada',
    webhook_not_found: 'Webhook tidak ada',
    event_not_found: 'Peristiwa tidak ada',
    handle_taken: 'PID ini sudah dipakai',
    // The interface fixes this text in every language.
    email_conflict: messageByCode.email_conflict,
    credential_already_linked: 'Kredensial ini sudah tertaut',
    popup_exists: 'Permintaan jendela ini sudah ada',
    closure_blocked: 'Identitas ini belum dapat ditutup',
    identity_final: 'Identitas yang sudah ditutup tidak dapat dibuka lagi',
    too_many_apps: 'Satu identitas paling banyak memiliki 50 aplikasi',
    too_many_secrets: 'Satu aplikasi paling banyak memiliki 10 rahasia yang berlaku',
    ticket_gone: 'Tiket klaim sudah kedaluwarsa',
    body_too_large: 'Isi permintaan terlalu besar',
    unsupported_media_type: 'Isi permintaan harus application/json',
    rate_limited: 'Terlalu banyak permintaan',
    internal: 'Terjadi kesalahan di server',
    provider_failed: 'Penyedia identitas tidak menjawab sebagaimana mestinya',
    provider_not_configured: 'Masuk lewat penyedia luar belum diatur di server ini',
    unavailable: 'Layanan sedang tidak tersedia',
  },
});

type HeadingKey = `s${ErrorStatus}`;

/** The title of an error page, by status. */
export const errorHeadings = catalogue<HeadingKey>({
  en: {
    s400: 'That did not work',
    s401: 'Sign in first',
    s403: 'Not allowed',
    s404: 'Nothing is here',
    s409: 'Already in use',
    s410: 'Too late',
    s413: 'Too much at once',
    s415: 'Not understood',
    s429: 'One moment, please',
    s500: 'Something went wrong',
    s502: 'The other side did not answer',
    s503: 'Not available now',
  },
  id: {
    s400: 'Permintaan tidak berhasil',
    s401: 'Masuk terlebih dahulu',
    s403: 'Tidak diizinkan',
    s404: 'Tidak ada apa-apa di sini',
    s409: 'Sudah dipakai',
    s410: 'Sudah terlambat',
    s413: 'Terlalu banyak sekaligus',
    s415: 'Tidak dapat dipahami',
    s429: 'Mohon tunggu sebentar',
    s500: 'Terjadi kesalahan',
    s502: 'Pihak lain tidak menjawab',
    s503: 'Sedang tidak tersedia',
  },
});

/** What to do next, for errors that people can do something about. */
export const errorAdvice = catalogue({
  en: {
    sign_in_cancelled: 'Nothing was changed. You can start again whenever you like.',
    provider_error: 'Nothing was changed. Start again, and accept the request if you want to sign in.',
    state_invalid: 'Start the sign-in again, in this browser.',
    email_conflict:
      'This email address already belongs to another PID. Sign in the way you did when you claimed that one.',
    credential_already_linked:
      'It already signs in to a PID. If that is not yours, it must be unlinked there before it can be linked here.',
    popup_altered: 'This request has changed since you decided. Nothing was done.',
    popup_expired: 'Close this window and start again in the app.',
    redirect_uri_unknown:
      'The app asked us to send you to an address that it has not registered. Nothing was sent there.',
    authorize_altered: 'Nothing was done. Return to the app and start again there.',
    authorize_gone: 'Return to the app and start again there.',
    app_not_found: 'It may have been deleted, or its id may be mistyped.',
    app_suspended: 'It cannot sign anybody in until it is allowed again.',
    ticket_gone: 'A claim must be finished soon after signing in. Sign in again for a fresh one.',
    unauthenticated: 'Your session may have ended.',
    refresh_refused: 'Your session has ended.',
    not_fresh: 'This needs a recent sign-in, so that nobody else can do it from a device you left open.',
    identity_suspended: 'Ask support if you think this is a mistake.',
    origin_not_allowed: 'The form came from another site. Open this page at its own address and try again.',
    not_found: 'The address may be mistyped, or what was there is gone.',
    provider_failed: 'Nothing was changed. Try again in a moment.',
    provider_not_configured: 'Whoever runs this service has to set up an identity provider first.',
    unavailable: 'Nothing was changed. Try again in a moment.',
    internal: 'This is our fault. Try again; if it happens again, tell support the request id below.',
    rate_limited: 'This happens when the same thing is tried too often. Nothing was changed.',
  },
  id: {
    sign_in_cancelled: 'Tidak ada yang berubah. Anda dapat memulai lagi kapan saja.',
    provider_error: 'Tidak ada yang berubah. Mulai lagi, lalu setujui permintaannya jika Anda ingin masuk.',
    state_invalid: 'Mulai lagi proses masuk di peramban ini.',
    email_conflict:
      'Alamat email ini sudah menjadi milik PID lain. Masuklah dengan cara yang Anda pakai saat mengklaim PID itu.',
    credential_already_linked:
      'Kredensial ini sudah dipakai untuk masuk ke sebuah PID. Jika PID itu bukan milik Anda, tautannya harus diputuskan di sana sebelum dapat ditautkan di sini.',
    popup_altered: 'Yang Anda putuskan bukan lagi keperluan jendela ini. Tidak ada yang berubah.',
    popup_expired: 'Tutup jendela ini, lalu mulai lagi dari aplikasi.',
    redirect_uri_unknown:
      'Aplikasi meminta Anda dikirim ke alamat yang tidak didaftarkannya. Tidak ada yang dikirim ke sana.',
    authorize_altered: 'Tidak ada yang berubah. Kembali ke aplikasi, lalu mulai lagi dari sana.',
    authorize_gone: 'Kembali ke aplikasi, lalu mulai lagi dari sana.',
    app_not_found: 'Aplikasi itu mungkin sudah dihapus, atau id-nya salah ketik.',
    app_suspended: 'Aplikasi ini tidak dapat memasukkan siapa pun sampai diizinkan lagi.',
    ticket_gone: 'Klaim harus diselesaikan segera setelah masuk. Masuk lagi untuk mendapat tiket baru.',
    unauthenticated: 'Sesi Anda mungkin sudah berakhir.',
    refresh_refused: 'Sesi Anda sudah berakhir.',
    not_fresh:
      'Langkah ini memerlukan proses masuk yang baru, supaya tidak dilakukan orang lain dari perangkat yang Anda tinggalkan.',
    identity_suspended: 'Hubungi layanan bantuan jika menurut Anda ini keliru.',
    origin_not_allowed:
      'Formulir ini datang dari situs lain. Buka halaman ini dari alamatnya sendiri, lalu coba lagi.',
    not_found: 'Alamatnya mungkin salah ketik, atau isinya sudah tidak ada.',
    provider_failed: 'Tidak ada yang berubah. Coba lagi sebentar lagi.',
    provider_not_configured: 'Pengelola layanan ini harus mengatur penyedia identitas terlebih dahulu.',
    unavailable: 'Tidak ada yang berubah. Coba lagi sebentar lagi.',
    internal:
      'Ini kesalahan kami. Coba lagi; jika terulang, sampaikan ID permintaan di bawah ini kepada layanan bantuan.',
    rate_limited: 'Ini terjadi jika hal yang sama dicoba terlalu sering. Tidak ada yang berubah.',
  },
});

/** The rest of an error page. */
export const errorPageTexts = catalogue({
  en: {
    waitSeconds: 'You can try again in {seconds} seconds.',
    waitOver: 'You can try again now.',
    tryAgain: 'Try again',
    signIn: 'Sign in',
    back: 'Go back',
    requestId: 'Request id',
  },
  id: {
    waitSeconds: 'Anda dapat mencoba lagi dalam {seconds} detik.',
    waitOver: 'Anda dapat mencoba lagi sekarang.',
    tryAgain: 'Coba lagi',
    signIn: 'Masuk',
    back: 'Kembali',
    requestId: 'ID permintaan',
  },
});
