import type { Deps } from '../../../deps.ts';
import { sendSoon } from '../../mail/mail.ts';
import { deliverSoon } from '../../webhook/deliver.ts';

/** Sends the email and the event of a new grant, after the response. */
export function announceGrant(deps: Deps): void {
  sendSoon(deps);
  deliverSoon(deps);
}
