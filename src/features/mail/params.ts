import type { Deps } from '../../deps.ts';
import { deriveKeys, open, seal } from '../../lib/secret.ts';

/** What a text needs beyond its kind. May hold a code, so it is stored only sealed. */
export type MailParams = Readonly<Record<string, string>>;

/** Notices of one change share their params; the id of each is that of the change, a dot and a number. */
function contextOf(mailId: string): string {
  return `mail ${mailId.split('.')[0]}`;
}

export function sealParams(deps: Deps, mailId: string, params: MailParams): Promise<string> {
  const keys = deriveKeys(deps.config.secretKeys, 'mail');
  return seal(keys, JSON.stringify(params), contextOf(mailId), deps.randomBytes);
}

/** Null when they were emptied, or sealed under a key that is gone. */
export async function openParams(deps: Deps, mailId: string, sealed: string): Promise<MailParams | null> {
  const text = await open(deriveKeys(deps.config.secretKeys, 'mail'), sealed, contextOf(mailId));
  return text === null ? null : (JSON.parse(text) as MailParams);
}
