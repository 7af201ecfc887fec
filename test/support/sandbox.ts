import type { Browser } from './browser.ts';
import type { TargetRequest } from './target.ts';

/** A form as a browser posts it from one of our pages. */
export function form(fields: Record<string, string> | [string, string][], origin: string): TargetRequest {
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: origin,
      'Sec-Fetch-Site': 'same-origin',
    },
    body: new URLSearchParams(fields).toString(),
  };
}

/** Starts a sign-in at a sandbox provider; returns the address of its user picker. */
export async function openPicker(browser: Browser, start = '/v1/auth/idp'): Promise<string> {
  const started = await browser.navigate(start);
  const address = started.headers.get('Location');
  if (address === null)
    throw new Error(`the sign-in did not start: ${started.status} ${await started.text()}`);
  return address;
}

/** Chooses a person in the user picker; returns the callback's URL, not yet opened. */
export async function choose(
  browser: Browser,
  fields: Record<string, string>,
  start?: string,
): Promise<string> {
  const picker = await openPicker(browser, start);
  const chosen = await browser.navigate(picker, form(fields, new URL(picker).origin));
  const callback = chosen.headers.get('Location');
  if (callback === null) throw new Error(`no callback: ${chosen.status} ${await chosen.text()}`);
  return callback;
}

/** Signs in at the sandbox provider; returns the callback's response. */
export async function signInAtSandbox(
  browser: Browser,
  fields: Record<string, string>,
  start?: string,
): Promise<Response> {
  return browser.navigate(await choose(browser, fields, start));
}
