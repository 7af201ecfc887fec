import { expect } from 'vitest';
import { type EngineWindow, until } from './engines.ts';
import type { SiblingHosts } from './sibling-hosts.ts';

/** Signs in at the sandbox provider from the popup's first page. */
export async function signInAs(popup: EngineWindow, email: string, knobs: string[] = []): Promise<void> {
  await until(popup, "document.querySelector('a[data-away=idp]')");
  await popup.click('a[data-away=idp]');
  await chooseAtProvider(popup, email, knobs);
}

/** Waits until a window shows the sandbox provider, because the popup's own page also asks for an address. */
export async function atProvider(window: EngineWindow): Promise<void> {
  await until(
    window,
    "document.querySelector('input[name=email]') && document.querySelector('input[name=coop]')",
  );
}

/**
 * Fills in the sandbox provider's form.
 * @param knobs the faults to simulate, with the names in the picker: `coop`, `error`, `conflict`
 */
export async function chooseAtProvider(
  window: EngineWindow,
  email: string,
  knobs: string[] = [],
): Promise<void> {
  await atProvider(window);
  for (const name of knobs) await window.click(`input[name=${name}]`);
  await window.evaluate(`(document.querySelector('input[name=name]').value = 'Rani Wijaya',
    document.querySelector('input[name=email]').value = '${email}')`);
  await window.click('button.main:not(.unseen)');
}

/** Claims a handle on the popup's page for newcomers. */
export async function claimHandle(popup: EngineWindow, handle: string): Promise<void> {
  await until(popup, "document.querySelector('input[name=handle]')");
  await popup.evaluate(`document.querySelector('input[name=handle]').value = '${handle}'`);
  await popup.click('.act .main');
  await popup.click('button[name=confirmed]');
}

/** The approve button, after it is enabled. */
export const armed = 'button[value=approved][aria-disabled=false]';

/**
 * Gives money and an app to the person signed in on a page of `app`.
 * @param host the app's host; a separate host, because the service caches an origin's apps for a minute
 * @param profile changes to their profile
 * @returns the page whose button requests a payment to Ayu from the person
 */
export async function becomePayer(
  { local, service, app }: SiblingHosts,
  page: Pick<EngineWindow, 'evaluate'>,
  { handle, host, ...profile }: { handle: string; host: string; stepUpAmount?: number },
): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  for (const [path, body] of [
    ['/dev/seed', {}],
    ['/dev/money', { to: `${handle}@pid`, amount: 1_000_000 }],
  ] as const) {
    const answer = await fetch(`${local}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
  }
  const call = <T>(method: string, path: string, body: object) =>
    page.evaluate<T>(`fetch('${service}${path}', { method: '${method}', credentials: 'include',
      headers: ${JSON.stringify(headers)}, body: '${JSON.stringify(body)}' }).then((answer) => answer.json())`);
  await call('PATCH', '/v1/me', profile);
  const allowedOrigins = [new URL(app(host)).origin];
  const fields = { name: 'Toko Demo', type: 'web', redirectUris: [], allowedOrigins };
  const { id } = await call<{ id: string }>('POST', '/v1/apps', fields);
  return app(host, `/raw?app=${id}`);
}
