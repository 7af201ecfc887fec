import { accountPaths, deskPath, forgotPath, signInPath } from '../../lib/page-paths.ts';
import type { MailKind, MailText } from './kinds.ts';

const account = { label: 'Buka akun Anda', path: accountPaths.home } as const;
const signIn = { label: 'Masuk', path: signInPath } as const;
const forgot = { label: 'Buka di browser ini', path: forgotPath } as const;
const desk = { label: 'Buka halaman administrasi', path: deskPath } as const;

const resetCode: MailText = {
  subject: '{code} adalah kode Anda untuk kata sandi baru {brand}',
  lead: 'Seseorang, semoga Anda sendiri, ingin membuat kata sandi baru untuk akun Anda di {brand}. Ketik kode berikut di halaman yang memintanya:',
  advice: ['Jika ini bukan Anda, abaikan saja: tanpa kode ini kata sandi Anda tidak berubah.'],
  link: null,
};

export const indonesian: Record<MailKind, MailText> = {
  register_code: {
    subject: '{code} adalah kode Anda untuk mendaftar di {brand}',
    lead: 'Seseorang, semoga Anda sendiri, sedang mendaftar di {brand} dengan alamat ini. Ketik kode berikut di halaman yang memintanya:',
    advice: ['Jika ini bukan Anda, abaikan saja: tanpa kode ini tidak ada akun yang dibuat.'],
    link: null,
  },
  register_known: {
    subject: 'Anda sudah punya akun di {brand}',
    lead: 'Seseorang, semoga Anda sendiri, mencoba mendaftar di {brand} dengan alamat ini. Alamat ini sudah dipakai sebuah akun, jadi tidak ada akun baru yang dibuat.',
    advice: [
      'Jika ini Anda, masuklah dengan cara yang biasa Anda pakai. Jika lupa kata sandi, pilih “Lupa kata sandi?” di sana.',
      'Jika ini bukan Anda, abaikan saja: tidak ada yang berubah, dan orang itu tidak tahu bahwa Anda punya akun.',
    ],
    link: signIn,
  },
  link_code: {
    subject: '{code} adalah kode Anda untuk menambahkan alamat ini di {brand}',
    lead: 'Seseorang, semoga Anda sendiri, ingin masuk di {brand} dengan alamat ini dan kata sandi. Ketik kode berikut di halaman yang memintanya:',
    advice: [
      'Jika ini bukan Anda, abaikan saja: tanpa kode ini alamat Anda tidak ditautkan ke akun mana pun.',
    ],
    link: null,
  },
  link_known: {
    subject: 'Alamat ini sudah dipakai di {brand}',
    lead: 'Seseorang, semoga Anda sendiri, mencoba menautkan alamat ini ke sebuah akun di {brand}. Alamat ini sudah dipakai sebuah akun, jadi tidak ada yang berubah.',
    advice: [
      'Jika ini Anda, masuklah dengan cara yang Anda pakai saat pertama kali menggunakan alamat ini.',
      'Jika ini bukan Anda, abaikan saja: tidak ada yang bisa masuk ke akun Anda karena ini.',
    ],
    link: signIn,
  },
  reset_code: resetCode,
  known_reset_code: resetCode,
  reset_closed: {
    subject: 'Satu langkah lagi untuk kata sandi baru di {brand}',
    lead: 'Seseorang, semoga Anda sendiri, ingin membuat kata sandi baru untuk akun Anda di {brand}. Setelah 100 kode salah berturut-turut, browser baru tidak lagi mendapat kode.',
    advice: [
      'Jika ini Anda, buka tautan di bawah di browser tempat Anda ingin membuat kata sandi baru, lalu minta kode lagi. Tautan berlaku satu hari.',
      'Jika ini bukan Anda, abaikan saja dan jangan teruskan tautannya: kata sandi Anda tidak berubah.',
    ],
    link: forgot,
  },
  reset_unknown: {
    subject: 'Tidak ada kata sandi yang bisa diubah di {brand}',
    lead: 'Seseorang, semoga Anda sendiri, ingin membuat kata sandi baru di {brand}, tetapi tidak ada akun di sana yang memakai kata sandi dengan alamat ini.',
    advice: [
      'Jika ini Anda, mungkin Anda masuk dengan cara lain, misalnya dengan Google atau passkey, atau memakai alamat lain.',
      'Jika ini bukan Anda, abaikan saja: tidak ada yang berubah.',
    ],
    link: signIn,
  },
  credential_linked: {
    subject: 'Cara masuk baru ditambahkan di {brand}',
    lead: 'Akun Anda di {brand} kini punya cara masuk baru.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain bisa masuk ke akun Anda. Segera buka akun Anda, hapus cara masuk yang tidak Anda kenal, lalu keluar dari semua perangkat lain.',
    ],
    link: account,
  },
  credential_unlinked: {
    subject: 'Satu cara masuk dihapus di {brand}',
    lead: 'Salah satu cara masuk ke akun Anda di {brand} telah dihapus.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu periksa cara masuk Anda.',
    ],
    link: account,
  },
  password_changed: {
    subject: 'Kata sandi Anda di {brand} telah diubah',
    lead: 'Kata sandi akun Anda di {brand} telah diubah, dan semua sesi lain diakhiri.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, segera pilih “Lupa kata sandi?” di halaman masuk, lalu periksa cara masuk lain yang tertaut ke akun Anda.',
    ],
    link: account,
  },
  password_reset: {
    subject: 'Kata sandi Anda di {brand} telah disetel ulang',
    lead: 'Seseorang dengan kode dari kotak surat Anda membuat kata sandi baru untuk akun Anda di {brand}. Semua sesi telah diakhiri.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, ada orang yang bisa membaca email Anda. Amankan kotak surat Anda dahulu, lalu pilih “Lupa kata sandi?” di halaman masuk.',
    ],
    link: account,
  },
  passkey_added: {
    subject: 'Passkey baru ditambahkan di {brand}',
    lead: 'Akun Anda di {brand} kini punya passkey baru. Siapa pun yang memegangnya bisa masuk.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain bisa masuk ke akun Anda. Segera buka akun Anda, hapus passkey itu, lalu keluar dari semua perangkat lain.',
    ],
    link: account,
  },
  passkey_removed: {
    subject: 'Sebuah passkey dihapus di {brand}',
    lead: 'Sebuah passkey milik akun Anda di {brand} telah dihapus dan tidak bisa dipakai untuk masuk lagi.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu periksa cara masuk Anda.',
    ],
    link: account,
  },
  app_changed: {
    subject: 'Alamat sebuah aplikasi diubah di {brand}',
    lead: 'URI pengalihan, origin, alamat keluar, atau sumber daya salah satu aplikasi Anda di {brand} telah diubah.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu perbaiki alamat itu.',
    ],
    link: account,
  },
  app_secret_rotated: {
    subject: 'Sebuah aplikasi punya rahasia baru di {brand}',
    lead: 'Salah satu aplikasi Anda di {brand} punya rahasia baru. Rahasia yang lama segera berakhir.',
    advice: [
      'Jika ini Anda, masukkan rahasia baru itu ke pengaturan aplikasi.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu ganti rahasia itu lagi.',
    ],
    link: account,
  },
  app_secret_revoked: {
    subject: 'Rahasia sebuah aplikasi dicabut di {brand}',
    lead: 'Sebuah rahasia aplikasi Anda di {brand} telah dicabut dan tidak bisa dipakai lagi.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu buat rahasia baru untuk aplikasi itu.',
    ],
    link: account,
  },
  webhook_disabled: {
    subject: 'Webhook sebuah aplikasi dinonaktifkan di {brand}',
    lead: 'Webhook salah satu aplikasi Anda di {brand} dinonaktifkan: penerimanya tidak menerima apa pun selama tiga hari, atau menyatakan sudah tidak ada.',
    advice: [
      'Perbaiki penerimanya, lalu aktifkan lagi webhook itu: yang belum terkirim akan dikirim, hingga 30 hari.',
    ],
    link: account,
  },
  app_allowed: {
    subject: 'Sebuah aplikasi boleh memakai akun Anda di {brand}',
    lead: 'Anda mengizinkan sebuah aplikasi memakai akun Anda di {brand}. Akun Anda menunjukkan apa saja yang boleh dilakukannya, dan di sana Anda bisa mengakhirinya kapan saja.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, akhiri akses aplikasi itu, lalu keluar dari semua perangkat lain.',
    ],
    link: account,
  },
  step_up_changed: {
    subject: 'Akun {brand} Anda lebih jarang meminta masuk ulang',
    lead: 'Jumlah yang membuat pembayaran dan penarikan di {brand} memerlukan masuk ulang telah dinaikkan atau dihapus. Sampai jumlah itu Anda tidak menerima email tentang pembayaran.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu atur kembali jumlah itu.',
    ],
    link: account,
  },
  sign_in_new_device: {
    subject: 'Ada yang masuk ke akun {brand} Anda dari perangkat baru',
    lead: 'Seseorang masuk ke akun Anda di {brand} dengan perangkat yang belakangan ini tidak pernah dipakai di sana.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu ganti kata sandi atau hapus cara masuk yang tidak Anda kenal.',
    ],
    link: account,
  },
  account_closed: {
    subject: 'Akun {brand} Anda telah dihapus',
    lead: 'Akun Anda di {brand} telah dihapus, beserta profil, cara masuk, dan sesi Anda. PID Anda tetap dicadangkan: tidak ada yang bisa memilikinya lagi.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan. Ini email terakhir tentang akun ini.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Akun itu tidak dapat dibuka lagi; amankan kotak surat Anda, dan ganti kata sandi yang juga Anda pakai di tempat lain.',
    ],
    link: null,
  },
  withdrawal_held: {
    subject: 'Penarikan dari dompet Anda di {brand}',
    lead: 'Seseorang, semoga Anda sendiri, menarik uang dari dompet Anda di {brand}. Uang itu dibayarkan ke rekening bank dalam beberapa menit.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, batalkan penarikan itu jika masih bisa, lalu keluar dari semua perangkat lain.',
    ],
    link: account,
  },
  withdrawal_paid: {
    subject: 'Penarikan Anda dari {brand} telah dibayarkan',
    lead: 'Uang yang ditarik dari dompet Anda di {brand} telah dibayarkan ke rekening bank.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, lalu keluar dari semua perangkat lain.',
    ],
    link: account,
  },
  withdrawal_failed: {
    subject: 'Penarikan Anda dari {brand} gagal',
    lead: 'Penarikan dari dompet Anda di {brand} tidak dapat dibayarkan. Uangnya sudah kembali ke dompet Anda, beserta biayanya.',
    advice: [
      'Jika ini Anda, periksa rekening bank itu sebelum mencoba lagi.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, lalu keluar dari semua perangkat lain.',
    ],
    link: account,
  },
  withdrawal_returned: {
    subject: 'Penarikan Anda dari {brand} dikembalikan',
    lead: 'Bank mengembalikan uang yang ditarik dari dompet Anda di {brand}. Jumlahnya sudah kembali ke dompet Anda, tetapi biayanya tidak.',
    advice: [
      'Jika ini Anda, periksa rekening bank itu sebelum mencoba lagi.',
      'Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, lalu keluar dari semua perangkat lain.',
    ],
    link: account,
  },
  payment_sent: {
    subject: 'Pembayaran dari dompet Anda di {brand}',
    lead: 'Dompet Anda di {brand} melakukan pembayaran di atas jumlah yang Anda pilih untuk masuk lagi.',
    advice: [
      'Jika ini Anda, tidak ada yang perlu dilakukan.',
      'Jika ini bukan Anda, ada orang lain di akun Anda. Buka akun Anda sekarang, keluar dari semua perangkat lain, ganti cara masuk Anda, dan hubungi layanan bantuan.',
    ],
    link: account,
  },
  payment_received: {
    subject: 'Anda menerima uang di {brand}',
    lead: 'Seseorang membayar ke dompet Anda di {brand}.',
    advice: [
      'Jika Anda menunggu uang ini, tidak ada yang perlu dilakukan.',
      'Jika Anda tidak tahu alasannya, jangan teruskan uang ini kepada siapa pun yang memintanya, dan hubungi layanan bantuan.',
    ],
    link: account,
  },
  desk_proposal: {
    subject: 'Keputusan atas uang menunggu persetujuan Anda di {brand}',
    lead: '{maker} mengusulkan keputusan atas uang di {brand}. Jumlah ini memerlukan admin kedua.',
    advice: [
      'Setujui atau tolak di halaman administrasi dalam tiga hari. Sampai saat itu tidak ada uang yang berpindah.',
      'Jika Anda tidak tahu alasan usulan ini, tanyakan kepada {maker} sebelum menyetujuinya, tetapi bukan dengan membalas email ini.',
    ],
    link: desk,
  },
  guessing_stopped: {
    subject: 'Seseorang menebak kata sandi Anda di {brand}',
    lead: 'Seseorang mengetik 100 kata sandi salah, atau 100 kode salah untuk kata sandi baru, berturut-turut untuk akun Anda di {brand}. Tidak ada yang berhasil masuk dengan cara ini. Browser baru tidak bisa lagi memakainya, bahkan dengan yang benar.',
    advice: [
      'Jika ini bukan Anda, tidak ada yang perlu dilakukan: Anda tetap bisa masuk seperti biasa di setiap browser yang pernah Anda pakai untuk masuk, dan dengan cara masuk Anda yang lain.',
      'Jika ini Anda, atau Anda ingin memakai kata sandi di browser baru, ganti kata sandi di akun Anda, atau pilih “Lupa kata sandi?” di halaman masuk.',
    ],
    link: account,
  },
};
