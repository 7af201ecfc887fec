import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { pageGroups } from '../../src/pages/groups.ts';
import { testDefaults } from '../support/target.ts';

/** Enough for a group to be made; nobody is served here. */
const deps = { config: parseConfig(testDefaults) } as Deps;

describe('the groups of pages', () => {
  it.each(pageGroups(deps).map(({ routes, load }) => [routes[0], routes, load] as const))(
    'that begin with %s have the routes they are named by',
    async (_, names, load) => {
      const { routes } = await load();
      const found = new Set(routes.map(({ method, path }) => `${method} ${path}`));
      expect([...found].sort()).toEqual([...names].sort());
    },
  );
});
