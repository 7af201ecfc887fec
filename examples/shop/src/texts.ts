const english = {
  tagline: 'Coffee, sweets and good mornings from Yogyakarta',
  demo: 'A demonstration: nothing is delivered. Newcomers get {amount} of play money from the sandbox.',
  otherLanguage: 'Bahasa Indonesia',
  signIn: 'Sign in',
  signOut: 'Sign out',
  balance: 'Balance',
  add: 'Add',
  addNamed: 'Add {name} to the cart',
  moreOf: 'One more: {name}',
  lessOf: 'One fewer: {name}',
  cart: 'Your cart',
  emptyCart: 'Nothing in it yet. Add what you like.',
  thanks: 'Thank you! We are making order {number}.',
  total: 'Total',
  signInToPay: 'Sign in to pay',
  pay: 'Pay {amount}',
  showCart: 'Cart: {amount}',
  waiting: 'Continue in the other window…',
  orders: 'Your orders',
  noOrders: 'What you buy appears here once its payment has arrived.',
  order: 'Order {number}',
  open: 'Confirming…',
  paid: 'Paid',
  refunded: 'Refunded',
  receipt: 'Receipt',
  about: 'The shop is an example. Its code is in {folder}.',
};

const indonesian: typeof english = {
  tagline: 'Kopi, kudapan, dan pagi yang baik dari Yogyakarta',
  demo: 'Ini toko contoh: tidak ada yang dikirim. Pendatang baru mendapat uang mainan {amount} dari sandbox.',
  otherLanguage: 'English',
  signIn: 'Masuk',
  signOut: 'Keluar',
  balance: 'Saldo',
  add: 'Tambah',
  addNamed: 'Tambah {name} ke keranjang',
  moreOf: 'Tambah satu: {name}',
  lessOf: 'Kurangi satu: {name}',
  cart: 'Keranjang',
  emptyCart: 'Masih kosong. Tambahkan yang Anda suka.',
  thanks: 'Terima kasih! Kami menyiapkan pesanan {number}.',
  total: 'Jumlah',
  signInToPay: 'Masuk untuk membayar',
  pay: 'Bayar {amount}',
  showCart: 'Keranjang: {amount}',
  waiting: 'Lanjutkan di jendela lain…',
  orders: 'Pesanan Anda',
  noOrders: 'Belanjaan Anda muncul di sini setelah pembayarannya masuk.',
  order: 'Pesanan {number}',
  open: 'Menunggu konfirmasi…',
  paid: 'Lunas',
  refunded: 'Dikembalikan',
  receipt: 'Kuitansi',
  about: 'Toko ini contoh. Kodenya ada di {folder}.',
};

const asked = new URLSearchParams(location.search).get('lang') ?? navigator.language;
export const locale = /^id\b/i.test(asked) ? 'id' : 'en';
export const texts = locale === 'id' ? indonesian : english;
document.documentElement.lang = locale;

/** Replaces the names in braces with values. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

const money = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'IDR',
  maximumFractionDigits: 0,
});

/** An amount in the format of the service's own pages. */
export function rupiah(amount: number): string {
  return money.format(amount);
}
