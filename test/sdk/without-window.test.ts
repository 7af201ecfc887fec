import { describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/index.ts';
import { createHooks } from '../../sdk/react.ts';

// Runs in Node and in workerd.
describe('the package without a window', () => {
  it('can be imported and creates a client, without popups or passkeys', async () => {
    expect([typeof window, typeof document]).toEqual(['undefined', 'undefined']);
    const client = createClient({ baseUrl: 'https://id.example.com' });
    expect(Object.keys(createHooks(client))).toEqual([
      'useSession',
      'usePopupAction',
      'useCredentials',
      'useWallet',
    ]);
    expect(client.getSnapshot().status).toBe('loading');
    expect(client.popup.isSupported()).toBe(false);
    for (const call of [
      client.auth.loginWithPopup(),
      client.popup.approve({ inquiryId: 'inq_1' }),
      client.fiat.transferWithPopup({ to: 'ayu@pid', amount: 1 }),
    ])
      await expect(call).rejects.toMatchObject({ name: 'PopupUnavailableError', reason: 'no_window' });
    expect(client.passkeys.isSupported()).toBe(false);
    expect(await client.passkeys.isAutofillAvailable()).toBe(false);
    expect(await client.passkeys.login()).toEqual({ type: 'unsupported' });
    client.dispose();
  });

  it('rejects an invalid address immediately', () => {
    expect(() => createClient({ baseUrl: 'id.example.com' })).toThrow(TypeError);
  });
});
