import { passkeyEndpoints } from '../../features/passkey/endpoints.ts';

/**
 * After a change on the account page, signals to authenticators which passkeys are still valid and their owner's name.
 */
export const passkeySignalScript = `
{
const readSignals = async () => (await fetch('${passkeyEndpoints.getPasskeySignals.path}')).json();
async function signal(before) {
  const { rpId, users } = await readSignals();
  const gone = (before?.users ?? []).filter(({ id }) => !users.some((user) => user.id === id));
  for (const { id: userId, credentialIds } of [...users, ...gone.map((user) => ({ ...user, credentialIds: [] }))]) {
    await PublicKeyCredential.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: credentialIds });
  }
  for (const { id: userId, name, displayName } of users) {
    await PublicKeyCredential.signalCurrentUserDetails?.({ rpId, userId, name, displayName });
  }
  localStorage.removeItem('pid_passkey_unnamed');
  document.body.dataset.passkeys = 'signalled';
}
if (typeof PublicKeyCredential === 'function' && document.querySelector('[data-passkey-account]')) {
  // Stored before a removal, and cleared even if it was rejected: the next person here may be someone else.
  const before = JSON.parse(sessionStorage.getItem('pid_passkeys') ?? 'null');
  sessionStorage.removeItem('pid_passkeys');
  const isChanged = /[?&]done=(unlinked|saved|renamed|passkeyAdded)/.test(location.search);
  const isRemoved = /[?&]done=unlinked/.test(location.search);
  if (isChanged || localStorage.getItem('pid_passkey_unnamed')) signal(isRemoved ? before : null).catch(() => {});
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!form.matches('[data-passkey-removal]')) return;
    event.preventDefault();
    await readSignals().then((known) => sessionStorage.setItem('pid_passkeys', JSON.stringify(known))).catch(() => {});
    form.submit();
  });
}
}
`;
