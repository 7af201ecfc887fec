import type { Hono } from 'hono';
import type { Deps } from '../src/deps.ts';
import { sendJson } from '../src/http/answer.ts';
import type { AppEnv } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { developerPaths, devReceiverPath } from '../src/lib/page-paths.ts';
import { Empty } from '../src/ui/components/card.tsx';
import { renderPage } from '../src/ui/page.tsx';
import { type Delivery, Receiver } from './receiver.ts';

/** A webhook receiver for development, and the deliveries it has received. */
export function receiverRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Routes();
  const receiver = new Receiver();

  /** Accepts events signed by the app they name; returns 401 for all others, as a real receiver would. */
  routes.post(devReceiverPath, async (c) => {
    const header = (name: string) => c.req.header(`webhook-${name}`) ?? '';
    const arrival = { id: header('id'), timestamp: header('timestamp'), signature: header('signature') };
    const { appId } = await receiver.take(deps, { ...arrival, body: await c.req.text() });
    return c.body(null, appId === null ? 401 : 204);
  });

  /** The received deliveries, newest first. */
  routes.get(devReceiverPath, (c) => {
    const page = { title: 'Webhooks', wide: true, developer: true };
    const address = `${deps.config.origin}${devReceiverPath}`;
    return renderPage(c, deps, page, <ReceiverPage {...{ deliveries: receiver.deliveries, address }} />);
  });

  /** The same for programs: `{ "data": [{ id, at, body, appId }] }`; `appId` is null if the signature is invalid. */
  routes.get(`${devReceiverPath}.json`, (c) => sendJson(c, { data: receiver.deliveries }));

  return routes;
}

interface ReceiverProps {
  readonly deliveries: readonly Delivery[];
  readonly address: string;
}

function ReceiverPage({ deliveries, address }: ReceiverProps) {
  return (
    <>
      <h1>Webhooks</h1>
      <p class="quiet">
        The newest 50 deliveries to <code>{address}</code> since the service started.{' '}
        <a href={`${devReceiverPath}.json`}>As JSON</a>
      </p>
      <section class="card">
        {deliveries.length === 0 ? (
          <Empty title="Nothing has arrived">
            <p>
              Make this the webhook of one of <a href={developerPaths.home}>your apps</a>, as it is of the
              demo app, and send a test.
            </p>
          </Empty>
        ) : (
          <ul class="plain">
            {deliveries.map((delivery) => (
              <DeliveryItem delivery={delivery} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function DeliveryItem({ delivery: { id, at, body, appId } }: { delivery: Delivery }) {
  return (
    <li class="log">
      {appId === null ? (
        <strong class="problem">The signature does not hold</strong>
      ) : (
        <strong class="good">The signature holds</strong>
      )}
      <div class="quiet">
        <code>{id}</code>
        {appId !== null && ` of ${appId}`}
        {', '}
        <time datetime={at}>{at}</time>
      </div>
      <pre>{body}</pre>
    </li>
  );
}
