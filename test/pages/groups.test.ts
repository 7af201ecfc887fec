import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { pageGroups } from '../../src/pages/groups.ts';
import { testDefaults } from '../support/target.ts';

/** Enough to create a group; it serves nobody here. */
const deps = { config: parseConfig(testDefaults) } as Deps;

describe('a group of pages', () => {
  it.each(pageGroups(deps).map(({ routes, load }) => ({ names: routes.map(nameOf), load })))(
    'has only the routes that it announces: $names.0',
    async ({ names, load }) => {
      const { routes } = await load();
      expect([...new Set(routes.map(nameOf))].sort()).toEqual(names.sort());
    },
  );
});

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}
