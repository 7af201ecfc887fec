import type { CountedBy } from '../../http/rate-limit.ts';
import { isPopupId } from '../../lib/id.ts';

/**
 * Counts by the popup request, so that openers behind one address do not use up each other's polls. Anything but a
 * popup's id is counted by address.
 */
export const byPopup: CountedBy = {
  per: 'popup',
  key(c) {
    const id = c.req.param('id') ?? c.req.query('c');
    return isPopupId(id) ? `popup ${id}` : null;
  },
};
