import { catalogue } from '../../lib/texts.ts';

export const claimTexts = catalogue({
  title: ['Choose your PID', 'Pilih PID Anda'],
  lead: `Your permanent username: you choose it once, and nobody else ever gets it.
    Username tetap Anda: dipilih sekali, dan tidak akan pernah diberikan kepada orang lain.`,
  continueAs: ['You continue as', 'Anda melanjutkan sebagai'],
  someoneNew: ['New here', 'Pengguna baru'],
  notMe: ['This is not me', 'Ini bukan saya'],
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
  yourHandle: ['your handle', 'handle Anda'],
  edit: ['Edit', 'Ubah'],
  displayNameHint: `Optional. Otherwise your handle is shown.
    Opsional. Jika kosong, handle Anda yang ditampilkan.`,
  sure: ['Claim {pid}?', 'Klaim {pid}?'],
  permanent: `Check the spelling: you cannot change your PID later.
    Periksa ejaannya: PID tidak dapat diubah lagi.`,
  claim: ['Claim {pid}', 'Klaim {pid}'],
  change: ['Change it', 'Ubah'],
  submit: ['Claim this PID', 'Klaim PID ini'],
  timeLeft: ['{minutes} minutes left to choose', 'Sisa waktu {minutes} menit untuk memilih'],
  countdown: ['Time left to choose: {time}', 'Sisa waktu untuk memilih: {time}'],
  timeOver: `Time is up. Sign in again to choose your PID.
    Waktu habis. Masuk lagi untuk memilih PID Anda.`,
  doneTitle: ['{pid} is yours', '{pid} kini milik Anda'],
  doneLead: `This is your permanent username. You can share it: nobody can sign in with it alone.
    Ini username tetap Anda. Anda boleh membagikannya: tidak ada yang bisa masuk hanya dengan PID.`,
  goOn: ['Continue to {place}', 'Lanjutkan ke {place}'],
  toAccount: ['Go to your account', 'Buka akun Anda'],
});

/** Problems with a handle or a name. */
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
  taken: ['PID already taken', 'PID ini sudah dipakai'],
});

/** "I already have a PID": linking the account of a claim ticket. */
export const claimLinkTexts = catalogue({
  title: ['Add to your PID', 'Tambahkan ke PID Anda'],
  offer: ['I already have a PID', 'Saya sudah punya PID'],
  offerHint: `Sign in the way you did before, and this account is added to your PID.
    Masuk dengan cara yang biasa Anda pakai, lalu akun ini ditambahkan ke PID Anda.`,
  signInFirst: `Sign in to your PID. The account you came with is then added to it.
    Masuk ke PID Anda. Akun yang tadi Anda pakai kemudian ditambahkan ke PID itu.`,
  question: ['Add this account to {pid}?', 'Tambahkan akun ini ke {pid}?'],
  account: ['The account you came with', 'Akun yang tadi Anda pakai'],
  identity: ['You are signed in as', 'Anda masuk sebagai'],
  meaning: `Anyone who can sign in to that account can then sign in as {pid}. Add it only if it is yours.
    Siapa pun yang bisa masuk ke akun itu akan bisa masuk sebagai {pid}. Tambahkan hanya jika akun itu milik Anda.`,
  noEmail: ['no email address', 'tanpa alamat email'],
  mine: ['This {provider} account is mine', 'Akun {provider} ini milik saya'],
  mineMissing: ['Confirm that this account is yours', 'Pastikan akun ini milik Anda'],
  link: ['Add this account', 'Tambahkan akun ini'],
  changed: `The account you came with has changed. Please check it again.
    Akun yang tadi Anda pakai sudah berubah. Silakan periksa lagi.`,
  signInAgain: ['Sign in again', 'Masuk lagi'],
  other: ['Sign in to another PID', 'Masuk ke PID lain'],
  claim: ['Choose a new PID instead', 'Pilih PID baru sebagai gantinya'],
  discard: ['This account is not mine', 'Akun ini bukan milik saya'],
});

/** The admin desk. */
export const linkTexts = catalogue({
  title: ['One moment', 'Tunggu sebentar'],
  text: `Choose an account at the provider. Then you come back here.
    Pilih akun di penyedia. Setelah itu Anda kembali ke sini.`,
  go: ['Continue', 'Lanjutkan'],
});
