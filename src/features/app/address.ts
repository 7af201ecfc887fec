import type { Deps } from '../../deps.ts';
import { devReceiverPath } from '../../lib/page-paths.ts';
import { isPublicUrl } from '../../lib/public-url.ts';

/** Returns whether the settings allow calls to an address. In development this includes the sandbox's receiver. */
export function mayCall({ config }: Deps, url: string): boolean {
  if (!config.production && url === `${config.origin}${devReceiverPath}`) return true;
  const { host, hostname } = new URL(config.origin);
  return isPublicUrl(url, { ownHosts: [host, hostname], loopback: !config.production });
}
