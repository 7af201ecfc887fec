/** @jsxImportSource react */
import type { Session } from 'peridot-sdk';
import { StrictMode, useCallback, useEffect, useReducer, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Cart } from './cart.tsx';
import { type Items, type ProductId, totalOf } from './catalog.ts';
import { Orders } from './orders.tsx';
import { type Order, pid, playMoney, usePopupAction, useSession, useWallet, welcome } from './purchase.ts';
import { Shelf } from './shelf.tsx';
import { fill, locale, rupiah, texts } from './texts.ts';

/** Changes the quantity of a product in the cart; null empties the cart. */
type Change = { readonly id: ProductId; readonly by: 1 | -1 } | null;

function changed(items: Items, change: Change): Items {
  if (change === null) return {};
  const { id, by } = change;
  return { ...items, [id]: Math.min(20, Math.max(0, (items[id] ?? 0) + by)) };
}

function App() {
  const { status, session } = useSession();
  const login = usePopupAction(pid.auth.loginWithPopup);
  const balance = useBalance(session);
  const [items, change] = useReducer(changed, {});
  const [paying, setPaying] = useState<Items | null>(null);
  const [bought, setBought] = useState<Order | null>(null);
  const { reload } = balance;
  const total = totalOf(items);
  const changeCart = (by: Change) => {
    change(by);
    setPaying(null);
  };
  const onBought = useCallback(
    (order: Order) => {
      change(null);
      setPaying(null);
      setBought(order);
      reload();
    },
    [reload],
  );
  return (
    <>
      <aside className="demo">{fill(texts.demo, { amount: rupiah(playMoney) })}</aside>
      <header>
        <a className="brand" href="./">
          <img src="/logo.svg" alt="" width="40" height="40" />
          Kedai Pagi
        </a>
        <Account {...{ status, session, balance: balance.amount }} signIn={() => login.run()} />
      </header>
      <main>
        <div className="goods">
          <h1>{texts.tagline}</h1>
          <Shelf onAdd={(id) => changeCart({ id, by: 1 })} />
          <p className="to-cart">
            {total > 0 && <a href="#cart">{fill(texts.showCart, { amount: rupiah(total) })}</a>}
          </p>
        </div>
        <div className="side">
          <Cart
            {...{ items, login, onBought }}
            change={changeCart}
            onPay={setPaying}
            isKnown={session !== null}
          />
          <Orders key={session?.pid} buyer={session?.pid} paying={paying} newest={bought} />
        </div>
      </main>
      <footer>
        <span>{fill(texts.about, { folder: 'examples/shop' })}</span>
        <a href={locale === 'id' ? '?lang=en' : '?lang=id'} lang={locale === 'id' ? 'en' : 'id'}>
          {texts.otherLanguage}
        </a>
      </footer>
    </>
  );
}

/** The person's money. Someone without a wallet, or with an empty one, may be a newcomer. */
function useBalance(session: Session | null): { amount: number | null; reload(): void } {
  const { data, error, reload } = useWallet();
  const amount = data?.balances[0]?.available ?? null;
  const newcomer = error?.statusCode === 404 || amount === 0 ? session?.pid : undefined;
  useEffect(() => {
    if (newcomer) void welcome(newcomer).then(reload);
  }, [newcomer, reload]);
  // The person may have topped up, or been paid, in another tab.
  useEffect(() => {
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, [reload]);
  return { amount, reload };
}

interface AccountProps {
  readonly status: string;
  readonly session: Session | null;
  readonly balance: number | null;
  signIn(): void;
}

function Account({ status, session, balance, signIn }: AccountProps) {
  if (!session)
    return (
      <button type="button" hidden={status === 'loading'} onClick={signIn}>
        {texts.signIn}
      </button>
    );
  return (
    <div className="account">
      <span>
        <b>{session.profile.displayName}</b>
        <small id="balance" key={balance}>
          <i>{texts.balance} </i>
          {balance === null ? '…' : rupiah(balance)}
        </small>
      </span>
      <button type="button" onClick={() => void pid.auth.logout()}>
        {texts.signOut}
      </button>
    </div>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
