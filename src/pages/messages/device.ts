import { catalogue } from '../../lib/texts.ts';

/** The page on which a person types a device's code. */
export const deviceTexts = catalogue({
  title: ['Sign in on a device', 'Masuk di perangkat'],
  lead: `Type the code that your TV, console or command line shows.
    Ketik kode yang tampil di TV, konsol, atau baris perintah Anda.`,
  code: ['Code on the device', 'Kode di perangkat'],
  hint: ['Eight letters, such as BCDF-GHJK', 'Delapan huruf, misalnya BCDF-GHJK'],
  go: ['Continue', 'Lanjutkan'],
  beware: ['Did somebody send you the code?', 'Apakah seseorang mengirimi Anda kode ini?'],
  bewareText: `Then stop: they would get into your account. Never enter a code that someone sent you. Support will never ask for it.
    Kalau begitu, berhenti: mereka akan masuk ke akun Anda. Jangan pernah memasukkan kode yang dikirim orang lain. Layanan bantuan tidak akan pernah memintanya.`,
  refused: `No device waits with this code. It works for 10 minutes: compare it, or get a new one on the device.
    Tidak ada perangkat yang menunggu dengan kode ini. Kode berlaku 10 menit: periksa lagi, atau minta kode baru di perangkat.`,
  asks: [
    'asks you to sign in as {pid} on another device',
    'meminta Anda masuk sebagai {pid} di perangkat lain',
  ],
  compare: ['The device in front of you shows this code:', 'Perangkat di depan Anda menampilkan kode ini:'],
  startedIn: ['Requested {ago} from {country}', 'Diminta {ago} dari {country}'],
  started: ['Requested {ago}', 'Diminta {ago}'],
  unchecked: `Anyone can choose this name. Allow access only if you have started this app yourself.
    Siapa pun bisa memilih nama ini. Izinkan akses hanya jika Anda sendiri yang menjalankan aplikasi ini.`,
  elsewhere: `If the device is not in front of you, or you did not start this, deny it: somebody else wants to use your account.
    Jika perangkat itu tidak ada di depan Anda, atau bukan Anda yang memulai, tolak: ada orang lain yang ingin memakai akun Anda.`,
  allowedTitle: ['The device is signed in', 'Perangkat sudah masuk'],
  allowedText: `Return to {app} on the device. You can remove its access at any time.
    Kembali ke {app} di perangkat. Anda bisa menghapus aksesnya kapan saja.`,
  deniedTitle: ['Nothing was allowed', 'Tidak ada yang diizinkan'],
  deniedText: `The device does not get into your account. If somebody sent you the code, do not answer them.
    Perangkat itu tidak bisa masuk ke akun Anda. Jika seseorang mengirimi Anda kode itu, jangan dibalas.`,
  seeApps: ['Apps with access', 'Aplikasi yang punya akses'],
});
