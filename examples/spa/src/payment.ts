import { createClient, isApiError, type PidClient, type Session, unwrap } from 'peridot-sdk';

/** The rest of the page, as far as this part needs it. */
interface Page {
  at(id: string): HTMLElement;
  run(work: Promise<unknown>): Promise<void>;
  log(text: string): void;
}

const rupiah = new Intl.NumberFormat('id-ID', {
  style: 'currency',
  currency: 'IDR',
  maximumFractionDigits: 0,
});

/**
 * The wallet, and a payment to the shop. This page itself is first-party and could pay without an approval; the shop is
 * an app (examples/shop) and needs the person's approval, in a popup.
 */
export function connectPayment(
  pid: PidClient,
  service: string,
  { at, run, log }: Page,
): { show(session: Session | null): void } {
  let shownPid: string | undefined;
  let isOpen = false;
  const shop = fetch('/shop')
    .then((answer): Promise<{ appId: string; payee: string }> => answer.json())
    .then(({ appId, payee }) => ({
      payee,
      client: createClient({ baseUrl: service, popupBaseUrl: service, appId }),
    }));

  async function showBalance(): Promise<void> {
    const wallet = await pid.wallet.get();
    const isMissing = isApiError(wallet);
    at('open-wallet').hidden = !isMissing;
    at('top-up').hidden = isMissing;
    at('pay').hidden = isMissing || !isOpen;
    at('balance').textContent = isMissing
      ? 'No wallet yet'
      : rupiah.format(wallet.balances[0]?.available ?? 0);
  }

  async function topUp(): Promise<void> {
    const { checkoutUrl } = await pid.fiat.createCheckout({ amount: 50_000, returnUrl: location.href });
    if (checkoutUrl) location.assign(checkoutUrl);
  }

  at('open-wallet').onclick = () => void run(pid.wallet.create().then(unwrap));
  at('top-up').onclick = () => void run(topUp());
  pid.on('wallet_changed', showBalance);

  // A popup must open within the click, so the shop is fetched before the button is shown.
  shop.then(
    ({ client, payee }) => {
      isOpen = true;
      client.on('popup', ({ phase }) => log(`approval ${phase}`));
      at('pay').onclick = () =>
        void run(
          client.fiat
            .transferWithPopup({ to: payee, amount: 15_000, memo: 'Snack' })
            .then(({ id, totalDebit }) => {
              log(`paid ${rupiah.format(totalDebit)} (${id})`);
              return showBalance();
            }),
        );
    },
    () => {},
  );

  return {
    show(session) {
      at('payment').hidden = session === null;
      if (session && session.pid !== shownPid) void showBalance();
      shownPid = session?.pid;
    },
  };
}
