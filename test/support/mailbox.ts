import type { MailboxMail } from '../../src/features/mail/mailbox.ts';
import type { Target } from './target.ts';

/** The emails from the service to an address, newest first, as shown in the development mailbox. */
export async function mailsTo(target: Target, address: string): Promise<MailboxMail[]> {
  const answer = await target.request(`/dev/mail.json?to=${encodeURIComponent(address)}`);
  if (answer.status !== 200) throw new Error(`the mailbox answered ${answer.status}`);
  return ((await answer.json()) as { data: MailboxMail[] }).data;
}

/** The code in the newest email to an address. */
export async function codeTo(target: Target, address: string): Promise<string> {
  const code = (await mailsTo(target, address)).find(({ content }) => content?.code)?.content?.code;
  if (!code) throw new Error(`no mail to ${address} holds a code`);
  return code;
}
