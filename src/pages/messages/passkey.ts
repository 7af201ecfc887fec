import { catalogue } from '../../lib/texts.ts';

/** The outcome of a ceremony, shown beside its button. */
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
