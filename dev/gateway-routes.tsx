import type { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Deps } from '../src/deps.ts';
import { AppError } from '../src/errors.ts';
import { sandboxCheckout, sandboxPayout } from '../src/features/gateway/schema.ts';
import { sendJson } from '../src/http/answer.ts';
import { jsonBody, readForm, validBody } from '../src/http/body.ts';
import type { AppContext, AppEnv } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { devGatewayPath } from '../src/lib/page-paths.ts';
import { parseInput } from '../src/pages/shared/form.ts';
import { renderPage } from '../src/ui/page.tsx';
import { thisMachine } from './authorize-routes.tsx';
import {
  act,
  endOrder,
  holderOf,
  noticeWays,
  notify,
  openOrder,
  payActions,
  readOrder,
  readPayout,
  type SandboxOrder,
  takePayout,
} from './gateway.ts';
import { PayCard } from './gateway-page.tsx';

const payForm = z.object({ action: z.enum(payActions), notify: z._default(z.enum(noticeWays), 'once') });

/**
 * A payment and payout provider for development. Without a browser, a payment is one form-encoded `POST` to the checkout's
 * address, with `action` (`pay`, `capture`, `wrong`, `twice`, `expire`, `fail`, `void`, `refund`,
 * `partly` or `restore`) and `notify` (`once`, `twice`, `disordered`, `forged` or `never`). A payment after the order has expired or failed
 * is late.
 */
export function sandboxGatewayRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Routes();
  const page = `${devGatewayPath}/:id` as const;

  routes.get(page, async (c) => {
    const id = c.req.param('id');
    const order = await requireOrder(deps, id);
    const options = { title: 'Sandbox payment', developer: true, formTargets: thisMachine };
    return renderPage(c, deps, options, <PayCard {...{ id, order, action: c.req.path }} />);
  });

  /** A payment redirects to the service, as at a real provider; actions without a payer show the page again. */
  routes.post(page, async (c) => {
    const id = c.req.param('id');
    const order = await requireOrder(deps, id);
    const form = parseInput(payForm, Object.fromEntries(await readForm(c)));
    const { state } = await act(deps, id, order, form.action);
    await notify(deps, id, state, form.notify);
    return c.redirect(state === 'paid' || state === 'captured' ? order.returnUrl : c.req.path, 303);
  });

  routes.put(`${page}/order`, jsonBody(), validBody(sandboxCheckout), async (c) => {
    const isOpen = await openOrder(deps, c.req.param('id'), c.req.valid('json'));
    return answer(c, isOpen ? {} : null, 409);
  });

  routes.get(`${page}/order`, async (c) => {
    const orderId = c.req.param('id');
    const order = await readOrder(deps, orderId);
    return answer(
      c,
      order && {
        orderId,
        state: order.state,
        payments: order.payments,
        returned: order.returned,
      },
    );
  });

  routes.delete(`${page}/order`, async (c) => {
    const id = c.req.param('id');
    const order = await readOrder(deps, id);
    return answer(c, order && ((await endOrder(deps, id, order)) ? {} : null), order ? 409 : 404);
  });

  routes.get(`${page}/account`, (c) => {
    const name = holderOf(c.req.param('id'));
    return answer(c, name === null ? null : { name });
  });

  routes.put(`${page}/payout`, jsonBody(), validBody(sandboxPayout), async (c) => {
    return answer(c, await takePayout(deps, c.req.param('id'), c.req.valid('json')), 504);
  });

  routes.get(`${page}/payout`, async (c) => answer(c, await readPayout(deps, c.req.param('id'))));

  return routes;
}

function answer(c: AppContext, body: object | null, otherwise: 404 | 409 | 504 = 404): Response {
  return body === null ? c.body(null, otherwise) : sendJson(c, body);
}

async function requireOrder(deps: Deps, id: string): Promise<SandboxOrder> {
  const order = await readOrder(deps, id);
  if (order === null) throw new AppError('not_found');
  return order;
}
