import { spawnSync } from 'node:child_process';

/** The distribution's Ruby, for which its packages install gems; another one may be the first in PATH. */
export const ruby = '/usr/bin/ruby';

/** The reason why a gem cannot be used here; null if it can. */
export function noGem(name: string, pack: string): string | null {
  const { status } = spawnSync(ruby, ['-e', 'require ARGV[0]', name]);
  return status === 0 ? null : `the package ${pack} is not installed`;
}
