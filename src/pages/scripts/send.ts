import { identityEndpoints } from '../../features/identity/endpoints.ts';
import { linkParts } from '../../lib/display-name.ts';

/** Shows the name of the entered PID in place of the field's hint. Without script, the next page shows it. */
export const sendScript = `
const [to, hint] = ['to', 'to-hint'].map((id) => document.getElementById(id));
if (to && hint) {
  const withoutLinks = (text) => [${linkParts.map(([part, by]) => `[${part}, '${by}']`)}].reduce((plain, [part, by]) => plain.replace(part, by), text).trim();
  const usual = hint.textContent;
  let waiting;
  hint.ariaLive = 'polite';
  to.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const typed = to.value.trim();
      const pid = encodeURIComponent(typed.includes('@') ? typed : typed + '@pid');
      const found = typed.length < 3 ? null : await fetch('${identityEndpoints.getIdentity.path.replace(':pid', '')}' + pid)
        .then((answer) => (answer.ok ? answer.json() : null), () => null);
      if (typed !== to.value.trim()) return;
      hint.textContent = found ? withoutLinks(found.displayName) || found.pid : usual;
      hint.className = found ? 'good' : 'hint';
    }, 400);
  });
}
`;
