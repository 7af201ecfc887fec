import type { Core } from './context.ts';
import type { PopupKind } from './types.ts';

/** An empty window opened in advance. */
export interface Prepared {
  readonly opened: Window | null;
}

const narrowPx = 600;
/** Apps whose built-in browser cannot return from a new window. */
const webViews = /\bwv\b|FBA[NV]|Instagram|Line\/|MicroMessenger/;

/** Random bytes as base64url. Synchronous, because the window must open within the click. */
export function randomText(bytes: number): string {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

export function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function popupAddress({ options }: Core, kind: PopupKind, id: string): string {
  const query = new URLSearchParams({ c: id, v: '1' });
  if (options.locale) query.set('ui_locales', options.locale);
  if (options.popup?.theme) query.set('theme', options.popup.theme);
  return `${options.popupBaseUrl?.replace(/\/+$/, '')}/popup/${kind === 'login' ? kind : 'approve'}?${query}`;
}

/** Opens the window. Its name is unique, because opening the same name again would navigate the first window. */
export function openWindow({ options, warn }: Core, id: string, address = 'about:blank'): Window | null {
  if (navigator.userActivation?.isActive === false) warn('no_user_activation', 'Open popups in a click');
  return window.open(address, `pid_${id}`, features(options.popup?.size));
}

/** Centred on the app's window; a new tab on touch screens and narrow windows. */
function features({ width, height } = { width: 480, height: 720 }): string {
  if (innerWidth < narrowPx || matchMedia('(pointer: coarse)').matches) return '';
  return `popup,width=${width},height=${height},left=${screenX + (outerWidth - width) / 2},top=${screenY + (outerHeight - height) / 2}`;
}

/** Returns whether a popup can open and return. Otherwise a redirect works. */
export function canOpen(): boolean {
  const { standalone, userAgent } = navigator as Navigator & { standalone?: boolean };
  return !standalone && !webViews.test(userAgent);
}
