import { catalogue } from '../../ui/locale.ts';

/** The outcome of a ceremony, shown beside its button. */
export const passkeyStates = catalogue({
  en: {
    waiting: 'Follow the instructions on your device.',
    cancelled: 'No passkey was used, and nothing was changed.',
    refused: 'This passkey was not accepted. Try again, or choose another way.',
    unknown: 'This passkey is no longer linked to a PID. Choose another one, or another way.',
    exists: 'This device already has a passkey for your PID.',
    none: 'You have no passkey yet. Sign in again another way.',
    suspended: 'This identity is suspended or closed.',
    busy: 'That was tried too often. Wait a minute, then try again.',
    failed: 'That did not work, and nothing was changed. Try again in a moment.',
    unsupported: 'This browser cannot use passkeys here.',
  },
  id: {
    waiting: 'Ikuti petunjuk di perangkat Anda.',
    cancelled: 'Tidak ada passkey yang dipakai, dan tidak ada yang berubah.',
    refused: 'Passkey ini tidak diterima. Coba lagi, atau pilih cara lain.',
    unknown: 'Passkey ini sudah tidak tertaut ke PID mana pun. Pilih passkey lain, atau cara lain.',
    exists: 'Perangkat ini sudah punya passkey untuk PID Anda.',
    none: 'Anda belum punya passkey. Masuk lagi dengan cara lain.',
    suspended: 'Identitas ini ditangguhkan atau sudah ditutup.',
    busy: 'Ini sudah terlalu sering dicoba. Tunggu satu menit, lalu coba lagi.',
    failed: 'Tidak berhasil, dan tidak ada yang berubah. Coba lagi sebentar lagi.',
    unsupported: 'Browser ini tidak dapat memakai passkey di sini.',
  },
});

export const passkeyTexts = catalogue({
  en: {
    use: 'Use a passkey',
    signUp: 'Create a passkey',
    again: 'Sign in again with a passkey',
    heading: 'Passkeys',
    lead: 'A passkey signs you in with your fingerprint, your face or your screen lock. There is nothing to remember and nothing to give away.',
    add: 'Add a passkey',
    nameLabel: 'Name of the new passkey (optional)',
    nameHint: 'Helps you tell them apart, such as “Work laptop”.',
    synced: 'Synced to your other devices',
    single: 'On one device only',
    rename: 'Rename',
    renameNamed: 'New name for {name}',
    save: 'Save',
  },
  id: {
    use: 'Pakai passkey',
    signUp: 'Buat passkey',
    again: 'Masuk lagi dengan passkey',
    heading: 'Passkey',
    lead: 'Dengan passkey, Anda masuk memakai sidik jari, wajah, atau kunci layar. Tidak ada yang perlu diingat dan tidak ada yang bisa dibocorkan.',
    add: 'Tambahkan passkey',
    nameLabel: 'Nama passkey baru (opsional)',
    nameHint: 'Memudahkan Anda membedakannya, misalnya “Laptop kantor”.',
    synced: 'Disinkronkan ke perangkat Anda yang lain',
    single: 'Hanya di satu perangkat',
    rename: 'Ganti nama',
    renameNamed: 'Nama baru untuk {name}',
    save: 'Simpan',
  },
});
