import type { NewApp } from '../../src/features/app/schema.ts';
import type { DeviceAnswer } from '../../src/features/oauth/schema.ts';
import type { Browser } from './browser.ts';
import { form } from './sandbox.ts';
import type { Target } from './target.ts';
import { post } from './token.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

interface Client {
  readonly target: Target;
  readonly app: NewApp;
}

/** Starts a sign-in like a device. */
export async function startDevice(
  client: Client,
  scope = 'openid profile offline_access',
): Promise<DeviceAnswer> {
  const answer = await post(client, '/v1/auth/device', { scope });
  if (answer.status !== 200) throw new Error(`no device code: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as DeviceAnswer;
}

/** Asks for the tokens like a device. */
export function poll(client: Client, code: string): Promise<Response> {
  return post(client, '/v1/auth/token', { grant_type: deviceGrant, device_code: code });
}

/** Types a code at /device. */
export function typeCode({ target }: Client, browser: Browser, code: string): Promise<Response> {
  return browser.navigate('/device', form({ code }, target.origin));
}

/** Submits the page that the code led to. */
export async function decideDevice(
  { target }: Client,
  browser: Browser,
  page: Response,
  decision = 'allow',
  changes: Record<string, string> = {},
): Promise<Response> {
  const text = await page.clone().text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const fields = { code: field('code'), proof: field('proof'), decision, ...changes };
  return browser.navigate('/device', form(fields, target.origin));
}
