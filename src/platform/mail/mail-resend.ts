import type { MailConfig } from '../../config/mail-settings.ts';
import type { Deps, OutgoingMail } from '../../deps.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { mailDeadlineMs, mailHeaders, senderHeader } from './mail-headers.ts';

const longestReason = 300;

/**
 * Sends an email through Resend's API, or a compatible one at RESEND_BASE_URL. The email's id is its idempotency key,
 * so retrying a lost attempt within a day sends nothing.
 * @throws Error unless the email was accepted
 */
export async function sendByResend(
  fetch: Deps['fetch'],
  { from, baseUrl, apiKey }: MailConfig & { transport: 'resend' },
  mail: OutgoingMail,
): Promise<void> {
  const ending = new AbortController();
  const request = new Request(new URL('emails', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': mail.id,
      // Resend rejects requests without a user agent.
      'User-Agent': 'Peridot',
    },
    body: JSON.stringify({
      from: senderHeader(from),
      to: [mail.to],
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: mailHeaders,
    }),
    redirect: 'manual',
    signal: ending.signal,
  });
  try {
    await withTimeout(hand(fetch(request)), mailDeadlineMs, 'the mail service');
  } finally {
    ending.abort();
  }
}

async function hand(answering: Promise<Response>): Promise<void> {
  const response = await answering;
  if (response.ok) return;
  throw new Error(`the mail service answered ${response.status}: ${await beginningOf(response)}`);
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (!done) text += decoder.decode(value, { stream: true });
    if (done || text.length >= longestReason) break;
  }
  await reader?.cancel();
  return text.slice(0, longestReason);
}
