/** @jsxImportSource react */
import { messageOf } from 'peridot-sdk/messages';
import type { PopupAction } from 'peridot-sdk/react';
import { useEffect, useRef, useState } from 'react';
import { catalog, type Items, type ProductId, productIds, totalOf } from './catalog.ts';
import { Picture } from './pictures.tsx';
import { buy, type Order, usePopupAction } from './purchase.ts';
import { fill, locale, rupiah, texts } from './texts.ts';

interface CartProps {
  readonly items: Items;
  readonly isKnown: boolean;
  readonly login: Pick<PopupAction<[], unknown>, 'run' | 'pending' | 'error'>;
  change(change: { id: ProductId; by: 1 | -1 }): void;
  onPay(items: Items): void;
  onBought(order: Order): void;
}

/** The cart, whose only button signs in or pays. */
export function Cart({ items, isKnown, login, change, onPay, onBought }: CartProps) {
  const purchase = usePopupAction(buy);
  useEffect(() => {
    if (purchase.data) onBought(purchase.data);
  }, [purchase.data, onBought]);
  // After payment the cart is empty, but keeps its height, so that the content below does not move.
  const card = useRef<HTMLElement>(null);
  const [minHeight, setMinHeight] = useState(0);
  const total = totalOf(items);
  const pay = () => {
    setMinHeight(card.current?.offsetHeight ?? 0);
    purchase.run(items);
    onPay(items);
  };
  const isWaiting = login.pending || purchase.pending;
  // Empty if the person closed the window.
  const problem = messageOf(login.error ?? purchase.error ?? { message: '' }, locale);
  const next = isKnown ? fill(texts.pay, { amount: rupiah(total) }) : texts.signInToPay;
  const label = isWaiting ? texts.waiting : next;
  return (
    <section
      id="cart"
      ref={card}
      aria-labelledby="cart-title"
      className="card cart"
      style={total === 0 ? { minHeight } : {}}
    >
      <h2 id="cart-title">{texts.cart}</h2>
      {total === 0 ? <Empty bought={purchase.data} /> : <Lines items={items} change={change} />}
      {total > 0 && (
        <>
          <p className="total">
            {texts.total} <b>{rupiah(total)}</b>
          </p>
          <button
            type="button"
            className="main"
            disabled={isWaiting}
            onClick={isKnown ? pay : () => login.run()}
          >
            <span key={label}>{label}</span>
          </button>
        </>
      )}
      <p role="alert" className="problem">
        {problem}
      </p>
    </section>
  );
}

function Empty({ bought }: { bought: Order | null }) {
  return (
    <div className="empty">
      <img src="/logo.svg" alt="" width="56" height="56" />
      <p role="status">{bought ? fill(texts.thanks, { number: String(bought.number) }) : texts.emptyCart}</p>
    </div>
  );
}

function Lines({ items, change }: Pick<CartProps, 'items' | 'change'>) {
  return (
    <ul className="lines">
      {productIds
        .filter((id) => items[id])
        .map((id) => (
          <li key={id}>
            <Picture of={id} />
            <span className="name">{catalog[id][locale]}</span>
            <span className="count">
              {([-1, 1] as const).map((by) => (
                <button
                  key={by}
                  type="button"
                  aria-label={fill(by > 0 ? texts.moreOf : texts.lessOf, { name: catalog[id][locale] })}
                  onClick={() => change({ id, by })}
                >
                  {by > 0 ? '+' : '−'}
                </button>
              ))}
              <span className="number">{items[id]}</span>
            </span>
            <span className="amount">{rupiah(catalog[id].price * (items[id] ?? 0))}</span>
          </li>
        ))}
    </ul>
  );
}
