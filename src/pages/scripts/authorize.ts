import { armingScript } from './arming.ts';

/** Escape refuses, unless it closes something of the browser's own. The form is sent once: its answer ends the request. */
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

/** Replaces the page, so that Back does not lead to it again. Without script the page's own refresh does. */
export const leadOnScript = `location.replace(document.querySelector('[data-lead-on]').href);`;
