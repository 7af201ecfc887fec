import type { DeviceScreen } from '../src/features/oauth/device/decide.ts';
import { AskCard, CodeCard, DecidedCard } from '../src/pages/device/cards.tsx';
import { deviceTexts } from '../src/pages/messages/device.ts';
import { consentScript } from '../src/pages/scripts/authorize.ts';
import { useTexts } from '../src/ui/view.ts';
import type { PageState } from './page-state.tsx';

const screen: DeviceScreen = {
  appId: 'app_0123456789abcdefghjkmnpqrs',
  app: 'Warung TV',
  doubt: null,
  scopes: ['openid', 'profile', 'offline_access'],
  country: 'ID',
  startedAt: 0,
  proof: 'proof',
};

function ask(change: Partial<DeviceScreen> = {}): PageState {
  return {
    options: { script: consentScript },
    body: (now) => (
      <AskCard
        screen={{ ...screen, startedAt: now - 40_000, ...change }}
        code="BCDFGHJK"
        handle="ayu.lestari"
      />
    ),
  };
}

function RefusedCode() {
  const problems = { code: [useTexts(deviceTexts).refused] };
  return <CodeCard typed={new URLSearchParams({ code: 'BBBB-BBBB' })} problems={problems} />;
}

/** The states of the page for sign-ins on devices without a browser. */
export const deviceStates: Readonly<Record<string, PageState>> = {
  device: { body: () => <CodeCard /> },
  'device-refused': {
    body: () => <RefusedCode />,
  },
  'device-ask': ask(),
  'device-ask-unchecked': ask({
    app: 'Maria Wilhelmina Constantia van der Waals’ Warung & Toko Kelontong',
    doubt: 'unchecked',
    country: null,
  }),
  'device-allowed': { body: () => <DecidedCard app={screen.app} /> },
  'device-denied': { body: () => <DecidedCard app={null} /> },
};
