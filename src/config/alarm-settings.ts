import * as z from 'zod/mini';
import { parseSender } from './mail-settings.ts';

const bare = (text: string) => parseSender(text) !== null && !/[<>\s]/.test(text);

/** Destinations for alarms besides the log. */
export const alarmVariables = {
  /** Replaces the administrators' own addresses. */
  ALARM_MAIL: z.optional(z.string().check(z.refine(bare, 'must be an address, such as money@example.com'))),
  ALARM_WEBHOOK_URL: z.optional(
    z
      .string()
      .check(
        z.refine((text) => URL.parse(text)?.protocol.startsWith('http') ?? false, 'must be an https address'),
      ),
  ),
  ALARM_WEBHOOK_SECRET: z.optional(
    z
      .string()
      .check(
        z.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and base64 of at least 24 random bytes'),
      ),
  ),
};

/** The operator's webhook URL, and the secret that signs its deliveries. */
export interface AlarmWebhook {
  readonly url: string;
  readonly secret: string;
}

interface AlarmEnvironment {
  readonly ALARM_WEBHOOK_URL?: string | undefined;
  readonly ALARM_WEBHOOK_SECRET?: string | undefined;
}

export function* alarmProblems(
  { ALARM_WEBHOOK_URL: url, ALARM_WEBHOOK_SECRET: secret }: AlarmEnvironment,
  production: boolean,
): Generator<['ALARM_WEBHOOK_URL' | 'ALARM_WEBHOOK_SECRET', string]> {
  if (url !== undefined && secret === undefined)
    yield ['ALARM_WEBHOOK_SECRET', 'must be set with ALARM_WEBHOOK_URL'];
  if (url === undefined && secret !== undefined)
    yield ['ALARM_WEBHOOK_URL', 'must be set with ALARM_WEBHOOK_SECRET'];
  if (production && url !== undefined && URL.parse(url)?.protocol !== 'https:')
    yield ['ALARM_WEBHOOK_URL', 'must be https in production'];
}

export function alarmWebhook({
  ALARM_WEBHOOK_URL: url,
  ALARM_WEBHOOK_SECRET: secret,
}: AlarmEnvironment): AlarmWebhook | null {
  return url === undefined || secret === undefined ? null : { url, secret };
}
