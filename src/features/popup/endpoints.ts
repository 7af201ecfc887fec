import { get, post } from '../../http/endpoint.ts';
import { byClient, byPopup } from './by-popup.ts';
import { pageReportInput, popupInput, verifierInput } from './schema.ts';

export const popupEndpoints = {
  registerPopup: post('/v1/popup/requests', {
    openToApps: 'any',
    limit: { requests: 30, ceiling: 600, by: byClient },
    body: popupInput,
  }),
  pollPopup: post('/v1/popup/requests/:id/poll', {
    openToApps: 'any',
    limit: { requests: 120, by: byPopup },
    body: verifierInput,
  }),
  cancelPopup: post('/v1/popup/requests/:id/cancel', {
    openToApps: 'any',
    limit: { requests: 30, by: byPopup },
    body: verifierInput,
  }),
  beatPopup: post('/popup/requests/:id/beat', {
    ownPagesOnly: true,
    limit: { requests: 300, by: byPopup },
    body: pageReportInput,
  }),
  decidePopup: post('/popup/requests/:id/decision', { limit: { requests: 20, by: byPopup } }),
  showPopup: get('/popup/login', { limit: { requests: 60, by: byPopup } }),
  showApproval: get('/popup/approve', { limit: { requests: 60, by: byPopup } }),
  showPopupClaim: get('/popup/claim'),
  finishPopup: get('/popup/done', { limit: { requests: 60, by: byPopup } }),
};

const { registerPopup, pollPopup, cancelPopup, beatPopup } = popupEndpoints;
/** The endpoints that are not pages. */
export const popupCallEndpoints = { registerPopup, pollPopup, cancelPopup, beatPopup };
