import { afterEach, expect, it, vi } from 'vitest';
import { createClient } from '../../src/sdk/index.ts';

vi.mock('../../src/sdk/popup-flow.ts', () => new Promise(() => {}));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a popup ends when what runs it has not loaded in time', async () => {
  vi.useFakeTimers();
  const opened = { closed: false, close: vi.fn() };
  vi.stubGlobal('window', Object.assign(new EventTarget(), { open: () => opened }));
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '' }));
  vi.stubGlobal('location', new URL('https://app.example.com/'));
  vi.stubGlobal('innerWidth', 320);
  const baseUrl = 'https://id.example.com';
  const client = createClient({
    baseUrl,
    popupBaseUrl: baseUrl,
    timeoutMs: 3_000,
    refresh: { crossTab: false },
  });
  const settled = vi.fn();
  client.auth.loginWithPopup().catch(settled);
  await vi.advanceTimersByTimeAsync(2_999);
  expect([settled.mock.calls, opened.close.mock.calls]).toEqual([[], []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(settled.mock.calls).toMatchObject([[{ code: 'popup_closed', reason: 'network' }]]);
  expect([opened.close.mock.calls.length, client.popup.active, vi.getTimerCount()]).toEqual([1, null, 0]);
  client.dispose();
});
