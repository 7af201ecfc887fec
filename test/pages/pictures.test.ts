import { expect, it } from 'vitest';
import prints from '../../docs/images/pages.json' with { type: 'json' };
import { documented, fingerprint } from '../../scripts/shots-documented.ts';
import { useService } from '../support/service.ts';

const target = useService();

it.each(Object.entries(documented))('docs/images/%s.png is not older than its page', async (name, state) => {
  const page = await target.request(`/dev/pages/${state}`);
  // If this fails, run `npm run shots -- docs`, and check the picture.
  expect(fingerprint(await page.text())).toBe(prints[name as keyof typeof prints]);
});
