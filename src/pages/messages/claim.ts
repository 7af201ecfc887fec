import { catalogue } from '../../lib/texts.ts';

export const claimTexts = catalogue({
  title: ['Choose your PID', 'Pilih PID Anda'],
  lead: `Your permanent username. People see it as {pid}.
    Username tetap Anda. Orang lain melihatnya sebagai {pid}.`,
  stepProve: ['Sign in', 'Masuk'],
  stepChoose: ['Choose your PID', 'Pilih PID'],
  stepDone: ['Done', 'Selesai'],
  continueAs: ['You continue as', 'Anda melanjutkan sebagai'],
  someoneNew: ['New here', 'Pengguna baru'],
  notMe: ['This is not me', 'Ini bukan saya'],
  lookAgain: ['Check the highlighted fields', 'Periksa isian yang ditandai'],
  handle: ['Handle', 'Handle'],
  placeholder: ['your.name', 'nama.anda'],
  handleHint: `3 to 30 characters: letters a-z, digits, dots, hyphens and underscores.
    3 sampai 30 karakter: huruf a-z, angka, titik, tanda hubung, dan garis bawah.`,
  checking: ['Checking…', 'Memeriksa…'],
  free: ['{pid} is free', '{pid} tersedia'],
  taken: ['PID already taken', 'PID ini sudah dipakai'],
  reserved: ['This handle is reserved', 'Handle ini tidak tersedia'],
  invalid: ['This is not a valid handle', 'Handle ini tidak valid'],
  suggestions: ['Still free', 'Yang masih tersedia'],
  suggest: ['Take {pid}', 'Pakai {pid}'],
  displayName: ['Name shown to others', 'Nama yang dilihat orang lain'],
  displayNameHint: `Optional. Otherwise your handle is shown.
    Opsional. Jika kosong, handle Anda yang ditampilkan.`,
  permanentTitle: ['A PID is chosen once.', 'PID hanya dipilih sekali.'],
  permanent: `You cannot change it later, and nobody else will ever get it.
    PID tidak dapat diubah lagi, dan tidak akan pernah diberikan kepada orang lain.`,
  readBack: ['Type your handle once more to confirm', 'Ketik handle Anda sekali lagi sebagai konfirmasi'],
  matches: ['The handles match', 'Handle cocok'],
  submit: ['Claim this PID', 'Klaim PID ini'],
  timeLeft: ['{minutes} minutes left', 'Sisa waktu {minutes} menit'],
  countdown: ['{time} left', 'Sisa waktu {time}'],
  timeOver: `Time is up. Sign in again to choose your PID.
    Waktu habis. Masuk lagi untuk memilih PID Anda.`,
  doneTitle: ['{pid} is yours', '{pid} kini milik Anda'],
  doneLead: `This is your permanent username. You can share it: nobody can sign in with it alone.
    Ini username tetap Anda. Anda boleh membagikannya: tidak ada yang bisa masuk hanya dengan PID.`,
  goOn: ['Continue to {place}', 'Lanjutkan ke {place}'],
  toAccount: ['Go to your account', 'Buka akun Anda'],
});

/** Problems of a handle or a name. */
export const problemTexts = catalogue({
  length: ['Use 3 to 30 characters', 'Pakai 3 sampai 30 karakter'],
  characters: `Use only letters a-z, digits, dots, underscores and hyphens
    Pakai hanya huruf a-z, angka, titik, garis bawah, dan tanda hubung`,
  ends: ['Start and end with a letter or digit', 'Awali dan akhiri dengan huruf atau angka'],
  separators: `Do not put two dots, underscores or hyphens in a row
    Jangan memakai dua titik, garis bawah, atau tanda hubung berurutan`,
  nameLong: ['Use at most 64 characters', 'Pakai maksimal 64 karakter'],
  nameEmpty: ['Enter a name', 'Masukkan nama'],
  nameInvisible: `Remove the control or invisible characters
    Hapus karakter kontrol atau karakter tak terlihat`,
  readBack: ['Type the handle exactly as above', 'Ketik handle persis seperti di atas'],
  taken: ['PID already taken', 'PID ini sudah dipakai'],
});
