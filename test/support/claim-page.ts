import type { Page } from '../../checks/playwright.ts';

/** Chooses a handle on the claim page and confirms it, in the dialog or, without script, on the next page. */
export async function claimHandle(page: Page, handle: string): Promise<void> {
  await page.fill('input[name=handle]', handle);
  await page.click('.act .main');
  await page.click('button[name=confirmed]:visible');
}
