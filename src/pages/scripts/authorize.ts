import { armingScript } from './arming.ts';

/**
 * Escape denies, unless it closes something in the browser itself. The form is sent only once, because its response
 * ends the request.
 */
export const consentScript = `${armingScript}
let isSent = false;
addEventListener('submit', (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
addEventListener('pageshow', () => { isSent = false; });
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) document.querySelector('[value=deny]').click();
});
`;

/** Replaces the page, so that Back does not return to it. Without script the page refreshes itself. */
export const leadOnScript = `location.replace(document.querySelector('[data-lead-on]').href);`;
