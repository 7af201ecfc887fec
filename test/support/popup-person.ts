import { type EngineWindow, until } from './engines.ts';

/** Signs in at the sandbox provider from the popup's first page. */
export async function signInAs(popup: EngineWindow, email: string, knobs: string[] = []): Promise<void> {
  await until(popup, "document.querySelector('a[data-away=idp]')");
  await popup.click('a[data-away=idp]');
  await chooseAtProvider(popup, email, knobs);
}

/** Waits until a window shows the sandbox provider; the popup's own page asks for an address, too. */
export async function atProvider(window: EngineWindow): Promise<void> {
  await until(
    window,
    "document.querySelector('input[name=email]') && document.querySelector('input[name=coop]')",
  );
}

/**
 * Fills in who one is at the sandbox provider.
 * @param knobs what goes wrong there, as the picker names it: `coop`, `error`, `conflict`
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
  await popup.evaluate(`(document.querySelector('input[name=handle]').value = '${handle}',
    document.querySelector('input[name=readBack]').value = '${handle}')`);
  await popup.click('form:has(input[name=handle]) button.main');
}
