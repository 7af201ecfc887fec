import type { Hono } from 'hono';
import type { Deps } from '../src/deps.ts';
import { AppError } from '../src/errors.ts';
import { listMailbox, type MailboxMail } from '../src/features/mail/mailbox.ts';
import { keepsTexts } from '../src/features/mail/send.ts';
import { sendJson } from '../src/http/answer.ts';
import type { AppContext, AppEnv } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { canonicalEmail } from '../src/lib/email.ts';
import { renderPage } from '../src/ui/page.tsx';
import { MailboxPage, MailPage } from './mailbox.tsx';

/** The development mailbox: every email that the service has written. */
export function mailboxRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Routes();

  /** The newest hundred emails; `?to=` selects one address. */
  routes.get('/dev/mail', async (c) => {
    const to = addressAsked(c);
    const mails = await listMailbox(deps, { to });
    const page = { title: 'Mailbox', wide: true, developer: true };
    return renderPage(c, deps, page, <MailboxPage {...{ mails, to, keeps: keepsTexts(deps) }} />);
  });

  /** The same for programs: `{ "data": [{ to, kind, content: { subject, text, html, code, links }, … }] }`. */
  routes.get('/dev/mail.json', async (c) =>
    sendJson(c, { data: await listMailbox(deps, { to: addressAsked(c) }) }),
  );

  routes.get('/dev/mail/:id', async (c) => {
    const mail = await requireMail(c.req.param('id'));
    const page = { title: 'Mail', wide: true, developer: true, framesOwn: true };
    return renderPage(c, deps, page, <MailPage mail={mail} />);
  });

  /** The HTML as in an email client, which cannot run scripts, load resources or follow links. */
  routes.get('/dev/mail/:id/html', async (c) => {
    const { content } = await requireMail(c.req.param('id'));
    if (content === null) throw new AppError('not_found');
    c.header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    );
    return c.html(content.html);
  });

  async function requireMail(id: string): Promise<MailboxMail> {
    const [mail] = await listMailbox(deps, { id });
    if (!mail) throw new AppError('not_found');
    return mail;
  }

  return routes;
}

function addressAsked(c: AppContext): string | null {
  const to = c.req.query('to');
  return to === undefined ? null : (canonicalEmail(to) ?? to);
}
