import { readFields } from '../../http/body.ts';
import { clientKey } from '../../http/client-key.ts';
import type { CountedBy } from '../../http/rate-limit.ts';
import { isPopupId } from '../../lib/id.ts';

/**
 * Counts by popup request, so that openers behind one address do not exhaust each other's limits. A request without a
 * popup id is counted by address.
 */
export const byPopup: CountedBy = {
  per: 'popup',
  key(c) {
    const id = c.req.param('id') ?? c.req.query('c');
    return isPopupId(id) ? `popup ${id}` : null;
  },
};

/**
 * Counts an app's back end by its secret, which only a request for an approval presents. All others are counted by
 * address, because nothing would check a secret in them.
 */
export const byClient: CountedBy = {
  per: 'address',
  async key(c) {
    const fields = await readFields(c);
    return fields['kind'] === 'approval' ? clientKey(c, fields) : null;
  },
};
