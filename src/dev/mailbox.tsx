import type { MailboxMail } from '../features/mail/mailbox.ts';

interface MailboxProps {
  readonly mails: readonly MailboxMail[];
  /** Whether mail stays here; false when a transport is set. */
  readonly keeps: boolean;
  readonly to: string | null;
}

/** `/dev/mail`: every mail the service wrote, the newest first. */
export function MailboxPage({ mails, keeps, to }: MailboxProps) {
  return (
    <>
      <h1>Mailbox</h1>
      <p class="quiet">
        {keeps
          ? 'Nothing leaves this machine. Texts can be read until they expire.'
          : 'MAIL_TRANSPORT sends mail away, so the texts of sent mail are not kept.'}{' '}
        <a href="/dev/mail.json">As JSON</a>
      </p>
      {to !== null && (
        <p>
          {`To ${to} only. `}
          <a href="/dev/mail">Show all</a>
        </p>
      )}
      <section class="card">
        {mails.length === 0 ? (
          <p class="last">
            No mail yet. It arrives when somebody asks for a code or changes how they sign in.
          </p>
        ) : (
          <ul class="plain last">
            {mails.map((mail) => (
              <li>
                <a href={`/dev/mail/${mail.id}`}>{mail.content?.subject ?? mail.kind}</a>
                {mail.content?.code && <code>{` ${mail.content.code}`}</code>}
                <div class="quiet">
                  {`to ${mail.to}, `}
                  <time datetime={mail.createdAt}>{mail.createdAt}</time>
                </div>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

/** `/dev/mail/:id`: one mail, its text and, in a frame that can do nothing, its HTML. */
export function MailPage({ mail }: { mail: MailboxMail }) {
  return (
    <>
      <p>
        <a href="/dev/mail">Mailbox</a>
      </p>
      <h1>{mail.content?.subject ?? mail.kind}</h1>
      <section class="card">
        <dl>
          <dt>To</dt>
          <dd>
            <a href={`/dev/mail?to=${encodeURIComponent(mail.to)}`}>{mail.to}</a>
          </dd>
          <dt>Kind</dt>
          <dd>{`${mail.kind}, ${mail.locale}`}</dd>
          <dt>Written</dt>
          <dd>{mail.createdAt}</dd>
          <dt>Sent</dt>
          <dd>{mail.sentAt ?? `not yet, ${mail.tries} tries`}</dd>
          <dt>Expires</dt>
          <dd>{mail.expiresAt}</dd>
        </dl>
        {mail.content === null ? (
          <p class="last">Its text is gone: it has expired, or was sent away.</p>
        ) : (
          <div class="row">
            {mail.content.code !== null && <code id="code">{mail.content.code}</code>}
            {mail.content.links.map((link) => (
              <a class="button" href={link}>{`Open ${link}`}</a>
            ))}
          </div>
        )}
      </section>
      {mail.content !== null && (
        <>
          <section class="card log">
            <h2>Text</h2>
            <pre>{mail.content.text}</pre>
          </section>
          <section class="card">
            <h2>HTML</h2>
            <iframe
              sandbox=""
              title="The mail as HTML"
              src={`/dev/mail/${mail.id}/html`}
              width="100%"
              height="640"
            />
          </section>
        </>
      )}
    </>
  );
}
