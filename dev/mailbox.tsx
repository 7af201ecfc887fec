import type { MailboxMail } from '../src/features/mail/mailbox.ts';

interface MailboxProps {
  readonly mails: readonly MailboxMail[];
  /** True if email texts are kept, false if a transport sends them. */
  readonly keeps: boolean;
  readonly to: string | null;
}

/** `/dev/mail`: every email that the service has written, newest first. */
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

/** `/dev/mail/:id`: one email as text and, in a sandboxed frame, as HTML. */
export function MailPage({ mail }: { mail: MailboxMail }) {
  const { content } = mail;
  return (
    <>
      <p>
        <a href="/dev/mail">Mailbox</a>
      </p>
      <h1>{content?.subject ?? mail.kind}</h1>
      <section class="card">
        <Envelope mail={mail} />
        {content === null ? (
          <p class="last">Its text is gone: it has expired, or was sent away.</p>
        ) : (
          <div class="row">
            {content.code !== null && <code id="code">{content.code}</code>}
            {content.links.map((link) => (
              <a class="button" href={link}>{`Open ${link}`}</a>
            ))}
          </div>
        )}
      </section>
      {content !== null && <Content id={mail.id} text={content.text} />}
    </>
  );
}

function Envelope({ mail }: { mail: MailboxMail }) {
  return (
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
  );
}

function Content({ id, text }: { id: string; text: string }) {
  return (
    <>
      <section class="card log">
        <h2>Text</h2>
        <pre>{text}</pre>
      </section>
      <section class="card">
        <h2>HTML</h2>
        <iframe sandbox="" title="The mail as HTML" src={`/dev/mail/${id}/html`} width="100%" height="640" />
      </section>
    </>
  );
}
