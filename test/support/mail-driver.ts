/**
 * The fate of the next email to an address: an HTTP status or an SMTP reply code, or an end of the connection before or
 * after the email is accepted.
 */
export type MailFault = number | 'drop' | 'drop after';

/** An email as accepted by one of the servers. */
export interface TakenMail {
  readonly via: 'resend' | 'smtp';
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Record<string, string>;
  /** The message as transmitted; empty over HTTP. */
  readonly raw: string;
  /** The login's user, and the connection's security. */
  readonly user: string | null;
  readonly secure: boolean;
}

/** The addresses of the stand-ins for outside mail servers. */
export interface MailServers {
  /** The control address, and the value of RESEND_BASE_URL. */
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

/** The emails accepted for an address, in order of arrival. */
export async function takenFor({ resend }: MailServers, to: string): Promise<TakenMail[]> {
  const answer = await fetch(`${resend}/control/taken?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as TakenMail[];
}
