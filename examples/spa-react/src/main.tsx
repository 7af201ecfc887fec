/** @jsxImportSource react */
import { createClient } from 'peridot-sdk';
import { messageOf } from 'peridot-sdk/messages';
import { createHooks } from 'peridot-sdk/react';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { connectShop } from './shop.ts';

const service = import.meta.env['VITE_PID_URL'] ?? `${location.protocol}//${location.hostname}:8787`;
const pid = createClient({ baseUrl: service, popupBaseUrl: service });
const { useSession, usePopupAction, useWallet } = createHooks(pid);
const rupiah = new Intl.NumberFormat('id-ID', {
  style: 'currency',
  currency: 'IDR',
  maximumFractionDigits: 0,
});
const shop = await connectShop(service);

function App() {
  const { status, session } = useSession();
  const login = usePopupAction(pid.auth.loginWithPopup);
  return (
    <main>
      <h1 data-status={status}>{session ? `Hello, ${session.profile.displayName}` : 'Corner Shop'}</h1>
      {status === 'anonymous' && (
        <button id="login" type="button" onClick={() => login.run()} disabled={login.pending}>
          Sign in
        </button>
      )}
      <Problem error={login.error} />
      {session && <Counter />}
    </main>
  );
}

function Problem({ error }: { error: Error | null | undefined }) {
  const text = error && messageOf(error);
  return text ? <p role="alert">{text}</p> : null;
}

/** The person's wallet, and a snack to buy. */
function Counter() {
  const { data: wallet, error, reload } = useWallet();
  const purchase = usePopupAction(shop.buy);
  const receipt = purchase.data;
  // The shop's client made the purchase, so this client does not know that the wallet has changed.
  useEffect(() => {
    if (receipt) reload();
  }, [receipt, reload]);
  if (error?.statusCode === 404)
    return (
      <button id="open" type="button" onClick={() => pid.wallet.create()}>
        Open a wallet
      </button>
    );
  return (
    <section>
      <p id="wallet">{wallet ? rupiah.format(wallet.balances[0]?.available ?? 0) : error?.message}</p>
      <button id="buy" type="button" onClick={() => purchase.run()} disabled={purchase.pending}>
        Buy a snack
      </button>
      <Problem error={purchase.error} />
      {receipt && (
        <p role="status">
          {rupiah.format(receipt.transfer.totalDebit)}: {receipt.status}
        </p>
      )}
    </section>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
