import type { Endpoint } from '../../http/endpoint.ts';
import { byPopup } from './by-popup.ts';
import { pageReportInput, popupInput, verifierInput } from './schema.ts';

export const registerPopupEndpoint = {
  method: 'POST',
  path: '/v1/popup/requests',
  limit: 30,
  body: popupInput,
} as const satisfies Endpoint;

export const pollPopupEndpoint = {
  method: 'POST',
  path: '/v1/popup/requests/:id/poll',
  limit: { requests: 120, by: byPopup },
  body: verifierInput,
} as const satisfies Endpoint;

export const cancelPopupEndpoint = {
  method: 'POST',
  path: '/v1/popup/requests/:id/cancel',
  limit: { requests: 30, by: byPopup },
  body: verifierInput,
} as const satisfies Endpoint;

export const beatPopupEndpoint = {
  method: 'POST',
  path: '/popup/requests/:id/beat',
  ownPagesOnly: true,
  limit: { requests: 300, by: byPopup },
  body: pageReportInput,
} as const satisfies Endpoint;

export const decidePopupEndpoint = {
  method: 'POST',
  path: '/popup/requests/:id/decision',
  limit: { requests: 20, by: byPopup },
} as const satisfies Endpoint;

export const showPopupEndpoint = {
  method: 'GET',
  path: '/popup/login',
  limit: { requests: 60, by: byPopup },
} as const satisfies Endpoint;

export const showPopupClaimEndpoint = {
  method: 'GET',
  path: '/popup/claim',
} as const satisfies Endpoint;

export const finishPopupEndpoint = {
  method: 'GET',
  path: '/popup/done',
  limit: { requests: 60, by: byPopup },
} as const satisfies Endpoint;

export const popupEndpoints: readonly Endpoint[] = [
  registerPopupEndpoint,
  pollPopupEndpoint,
  cancelPopupEndpoint,
  beatPopupEndpoint,
  decidePopupEndpoint,
  showPopupEndpoint,
  showPopupClaimEndpoint,
  finishPopupEndpoint,
];
