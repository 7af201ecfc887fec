import { catalogue } from '../../lib/texts.ts';

/** The switches that stop all money: their states, and the effect of each change. */
export const deskLedgerTexts = catalogue({
  heading: ['Money switches', 'Sakelar uang'],
  money: ['Wallet money', 'Uang dompet'],
  withdrawals: ['Withdrawals', 'Penarikan'],
  because: ['Reason', 'Alasan'],
  open: ['Open: people can pay and top up.', 'Terbuka: orang bisa membayar dan mengisi saldo.'],
  frozen: `Frozen: nobody can pay, top up or withdraw. Held money is still settled.
    Dibekukan: tidak ada yang bisa membayar, mengisi saldo, atau menarik uang. Uang yang ditahan tetap diselesaikan.`,
  disabled: `Switched off: nobody can pay, top up or withdraw. Held money is still settled.
    Dimatikan: tidak ada yang bisa membayar, mengisi saldo, atau menarik uang. Uang yang ditahan tetap diselesaikan.`,
  on: `On: people can withdraw to their bank while wallet money is open.
    Aktif: orang bisa menarik uang ke bank selama uang dompet terbuka.`,
  off: ['Off: nobody can start a withdrawal.', 'Tidak aktif: tidak ada yang bisa memulai penarikan.'],
  openDo: ['Let money move again', 'Izinkan uang bergerak lagi'],
  openAsk: `Open: everybody can pay and top up again, at once. Do this only when you know why it was stopped.
    Terbuka: semua orang langsung bisa membayar dan mengisi saldo lagi. Lakukan hanya jika Anda tahu mengapa dihentikan.`,
  frozenDo: ['Freeze all money', 'Bekukan semua uang'],
  frozenAsk: `Frozen: nobody can pay, top up or withdraw, on every page and in every app, until an administrator opens it again. Held money is still settled. People read that wallets are paused.
    Dibekukan: tidak ada yang bisa membayar, mengisi saldo, atau menarik uang, di semua halaman dan aplikasi, sampai admin membukanya lagi. Uang yang ditahan tetap diselesaikan. Orang membaca bahwa dompet dijeda.`,
  disabledDo: ['Switch all money off', 'Matikan semua uang'],
  disabledAsk: `Switched off: stops the same as freezing. Only the error that apps get differs (ledger_disabled), so it suits a service that has no wallets for a long time.
    Dimatikan: menghentikan hal yang sama seperti pembekuan. Hanya galat yang diterima aplikasi yang berbeda (ledger_disabled), jadi cocok untuk layanan yang lama tidak memakai dompet.`,
  onDo: ['Turn withdrawals on', 'Aktifkan penarikan'],
  onAsk: ['On: people can withdraw to their bank.', 'Aktif: orang bisa menarik uang ke bank.'],
  offDo: ['Turn withdrawals off', 'Nonaktifkan penarikan'],
  offAsk: `Off: nobody can start a withdrawal. Withdrawals that already hold money are still paid out.
    Tidak aktif: tidak ada yang bisa memulai penarikan. Penarikan yang uangnya sudah ditahan tetap dibayarkan.`,
  alarm: ['All money is stopped', 'Semua uang dihentikan'],
  alarmSince: ['Since {at}. Reason: {reason}', 'Sejak {at}. Alasan: {reason}'],
  violated: `The service stopped it itself, because a check of the books failed: the balances and movements contradict each other. Find the cause before you open it.
    Layanan menghentikannya sendiri karena pemeriksaan pembukuan gagal: saldo dan pergerakan uang saling bertentangan. Cari sebabnya sebelum membukanya.`,
  alarmLink: ['Money switches', 'Sakelar uang'],
});
