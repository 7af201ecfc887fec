import type { ApiError, PopupError } from './errors.ts';

/** A sentence in English and Indonesian. Without the English text, the error's own message is used. */
type Sentence = readonly [en: string | null, id: string];

/** The texts by the reason of a popup error. */
const byReason: Record<PopupError['reason'], Sentence> = {
  browser: [null, 'Jendela diblokir oleh browser: izinkan jendela pop-up untuk situs ini'],
  busy: ['Another window is still open', 'Jendela lain masih terbuka'],
  user: ['', ''],
  aborted: ['', ''],
  timeout: [null, 'Permintaan ditolak: waktunya habis'],
  network: ['The window could not be loaded: try again', 'Jendela tidak dapat dimuat: coba lagi'],
  no_base_url: ['Windows cannot open here', 'Jendela tidak dapat dibuka di sini'],
  no_window: ['Windows cannot open here', 'Jendela tidak dapat dibuka di sini'],
  not_same_site: ['Windows cannot open here', 'Jendela tidak dapat dibuka di sini'],
  denied: [null, 'Permintaan ditolak: Anda tidak menyetujuinya'],
  malformed: [null, 'Permintaan ditolak: permintaannya tidak valid'],
  tampered: [null, 'Permintaan ditolak: permintaannya telah diubah'],
  origin: [null, 'Permintaan ditolak: halaman ini tidak diizinkan'],
  terms_changed: [null, 'Permintaan ditolak: ketentuannya berubah'],
  expired: [null, 'Permintaan ditolak: waktunya habis'],
};

/** The texts by the code of an error that people can encounter. */
const byCode: Readonly<Record<string, Sentence>> = {
  network_error: ['The service cannot be reached', 'Layanan tidak dapat dihubungi'],
  popup_not_returned: [
    'The window could not return here: try again',
    'Jendela tidak dapat kembali ke sini: coba lagi',
  ],
  amount_too_small: [null, 'Jumlah terlalu kecil: setelah biaya paling sedikit harus tersisa 1 IDR'],
  amount_too_large: [null, 'Jumlah terlalu besar: paling banyak 1000000000000 IDR'],
  approval_expired: [null, 'Permintaan persetujuan sudah kedaluwarsa'],
  code_refused: [null, 'Kode ini salah atau sudah kedaluwarsa'],
  credential_already_linked: [null, 'Kredensial ini sudah tertaut'],
  email_conflict: ['Email is already connected to another account', 'Email sudah terhubung dengan akun lain'],
  handle_taken: [null, 'PID ini sudah dipakai'],
  identity_suspended: [null, 'Identitas ini ditangguhkan'],
  inquiry_expired: [null, 'Permintaan transfer sudah kedaluwarsa'],
  insufficient_internal_credit: ['The balance is too low', 'Saldo tidak mencukupi'],
  internal: [null, 'Terjadi kesalahan di server'],
  last_credential: [null, 'Cara masuk terakhir tidak dapat dihapus'],
  limit_day: [null, 'Jumlahnya melebihi batas sehari'],
  limit_held: [null, 'Jumlahnya melebihi batas saldo dompet'],
  limit_month: [null, 'Jumlahnya melebihi batas sebulan'],
  limit_payment: [null, 'Jumlahnya melebihi batas satu pembayaran'],
  no_session: ['Sign in first', 'Anda perlu masuk terlebih dahulu'],
  not_fresh: [null, 'Masuk lagi untuk melanjutkan'],
  own_wallet: [null, 'Tidak dapat mengirim ke dompet sendiri'],
  passkey_refused: [null, 'Passkey ini tidak diterima'],
  password_refused: [null, 'Email atau kata sandi salah'],
  rate_limited: [null, 'Terlalu banyak permintaan'],
  recipient_unavailable: [null, 'Penerima tidak dikenal'],
  ticket_gone: [null, 'Tiket klaim sudah kedaluwarsa'],
  unauthenticated: ['Sign in first', 'Anda perlu masuk terlebih dahulu'],
  unavailable: [null, 'Layanan sedang tidak tersedia'],
  wallet_closed: [null, 'Dompet sudah ditutup'],
  wallet_frozen: [null, 'Dompet dibekukan'],
};

/**
 * Returns the text that tells a person about an error: from a popup, a failed call, or an `ApiError`. Empty if they closed the window
 * themselves, or the page cancelled it. In English unless the locale begins with `id`; an error that this list does not
 * have keeps its own message.
 */
export function messageOf(error: unknown, locale = 'en'): string {
  const { code, reason, message, cause } = (error ?? {}) as Partial<
    PopupError & ApiError & { cause: ApiError }
  >;
  const known = reason && !cause ? byReason[reason] : byCode[(cause ?? { code }).code ?? ''];
  const text = known?.[/^id\b/i.test(locale) ? 1 : 0];
  return text ?? ([] as string[]).concat(cause?.message ?? message ?? String(error)).join('; ');
}
