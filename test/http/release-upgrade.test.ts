import { expect, inject, it } from 'vitest';
import { openRelease } from '#target';
import { expectWorks, keptRows, releaseVariables } from '../support/release-works.ts';

/** For databases that are not files; test/platform/release-fixtures.test.ts opens the files themselves. */
it.each(inject('releases'))(
  'a database written by $version is upgraded and works',
  {
    timeout: 180_000,
  },
  async (release) => {
    const service = await openRelease(release, releaseVariables());
    try {
      const [counts = {}] = await service.rows<Record<string, number>>(keptRows);
      for (const [name, count] of Object.entries(counts)) {
        const written = release.statements.filter((text) => text.startsWith(`INSERT INTO "${name}" `));
        expect([name, count]).toEqual([name, written.length]);
        expect(count, name).toBeGreaterThan(0);
      }
      await expectWorks(service, release);
    } finally {
      await service.close();
    }
  },
);
