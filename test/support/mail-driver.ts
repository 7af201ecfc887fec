/**
 * The fate of the next mail to one address: a status of HTTP or a reply code of SMTP, or the connection ends before or
 * after the mail was taken.
 */
export type MailFault = number | 'drop' | 'drop after';

/** A mail as one of the servers took it. */
export interface TakenMail {
  readonly via: 'resend' | 'smtp';
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Record<string, string>;
  /** The message as it came over the wire; empty over HTTP. */
  readonly raw: string;
  /** The user of the login, and the security of the connection. */
  readonly user: string | null;
  readonly secure: boolean;
}

/** The addresses of the servers that play the mail servers outside. */
export interface MailServers {
  /** The control address, and what RESEND_BASE_URL is set to. */
  readonly resend: string;
  /** SMTP_URL with its login. */
  readonly smtp: string;
}

export async function planFaults({ resend }: MailServers, to: string, faults: MailFault[]): Promise<void> {
  const answer = await fetch(`${resend}/control/faults`, {
    method: 'POST',
    body: JSON.stringify({ to, faults }),
  });
  if (!answer.ok) throw new Error(`the plan was refused: ${answer.status}`);
  await answer.text();
}

/** The mails that were taken for an address, in the order they came. */
export async function takenFor({ resend }: MailServers, to: string): Promise<TakenMail[]> {
  const answer = await fetch(`${resend}/control/taken?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as TakenMail[];
}
