/** @jsxImportSource react */
import { useEffect, useState } from 'react';
import { catalog, type Items, productIds } from './catalog.ts';
import { listOrders, type Order, receiptUrl } from './purchase.ts';
import { fill, locale, rupiah, texts } from './texts.ts';

interface OrdersProps {
  /** The person; undefined while nobody is signed in. */
  readonly buyer: string | undefined;
  /** What the person is paying for: its order gets its room now, so that the others do not move when it comes. */
  readonly paying: Items | null;
  /** The order just paid on this page. */
  readonly newest: Order | null;
}

/** The person's orders, newest first. The back end is notified of a payment by webhook, usually within a second. */
export function Orders({ buyer, paying, newest }: OrdersProps) {
  const orders = useOrders(buyer, newest);
  return (
    <section aria-labelledby="orders-title" className="card history">
      <h2 id="orders-title">{texts.orders}</h2>
      {orders.length === 0 && <p className="hint">{texts.noOrders}</p>}
      <ol className="orders" aria-live="polite">
        {paying && orders[0] && <OrderItem isRoom order={{ ...orders[0], items: paying }} />}
        {orders.map((order) => (
          <OrderItem key={order.id} order={order} />
        ))}
      </ol>
    </section>
  );
}

interface OrderItemProps {
  readonly order: Order;
  /** Whether it only takes the room of an order. */
  readonly isRoom?: boolean;
}

function OrderItem({ order, isRoom }: OrderItemProps) {
  const { number, items, total, status, transferId, createdAt } = order;
  const bought = productIds.filter((id) => items[id]);
  return (
    <li className={isRoom ? 'room' : undefined}>
      <p className="head">
        <b>{fill(texts.order, { number: String(number) })}</b>
        <span className={`badge ${status}`}>{texts[status]}</span>
        <b className="amount">{rupiah(total)}</b>
      </p>
      <p className="hint">{bought.map((id) => `${items[id]} × ${catalog[id][locale]}`).join(', ')}</p>
      <p className="hint">
        <time dateTime={createdAt}>
          {new Date(createdAt).toLocaleTimeString(locale, { timeStyle: 'short' })}
        </time>
        {transferId && (
          <a href={receiptUrl(transferId)} target="_blank" rel="noreferrer">
            {texts.receipt}
          </a>
        )}
      </p>
    </li>
  );
}

/** The orders, preceded by one that the webhook has not yet confirmed. Polls every second until the confirmation. */
function useOrders(buyer: string | undefined, newest: Order | null): readonly Order[] {
  const [known, setKnown] = useState<readonly Order[]>([]);
  const waiting = newest !== null && !known.some(({ id }) => id === newest.id);
  useEffect(() => {
    if (!buyer) return;
    let isOver = false;
    const read = () =>
      void listOrders().then(
        (orders) => isOver || setKnown(orders),
        () => {},
      );
    read();
    window.addEventListener('focus', read);
    const timer = waiting ? setInterval(read, 1000) : undefined;
    return () => {
      isOver = true;
      window.removeEventListener('focus', read);
      clearInterval(timer);
    };
  }, [buyer, waiting]);
  if (!buyer) return [];
  return waiting ? [newest, ...known] : known;
}
