import type { Endpoint } from '../../http/endpoint.ts';
import { byClient, byPopup } from './by-popup.ts';
import { pageReportInput, popupInput, verifierInput } from './schema.ts';

export const popupEndpoints = {
  registerPopup: {
    method: 'POST',
    path: '/v1/popup/requests',
    openToApps: 'any',
    limit: { requests: 30, ceiling: 600, by: byClient },
    body: popupInput,
  },
  pollPopup: {
    method: 'POST',
    path: '/v1/popup/requests/:id/poll',
    openToApps: 'any',
    limit: { requests: 120, by: byPopup },
    body: verifierInput,
  },
  cancelPopup: {
    method: 'POST',
    path: '/v1/popup/requests/:id/cancel',
    openToApps: 'any',
    limit: { requests: 30, by: byPopup },
    body: verifierInput,
  },
  beatPopup: {
    method: 'POST',
    path: '/popup/requests/:id/beat',
    ownPagesOnly: true,
    limit: { requests: 300, by: byPopup },
    body: pageReportInput,
  },
  decidePopup: { method: 'POST', path: '/popup/requests/:id/decision', limit: { requests: 20, by: byPopup } },
  showPopup: { method: 'GET', path: '/popup/login', limit: { requests: 60, by: byPopup } },
  showApproval: { method: 'GET', path: '/popup/approve', limit: { requests: 60, by: byPopup } },
  showPopupClaim: { method: 'GET', path: '/popup/claim' },
  finishPopup: { method: 'GET', path: '/popup/done', limit: { requests: 60, by: byPopup } },
} as const satisfies Record<string, Endpoint>;

const { registerPopup, pollPopup, cancelPopup, beatPopup } = popupEndpoints;
/** Those that are no pages. */
export const popupCallEndpoints = { registerPopup, pollPopup, cancelPopup, beatPopup };
