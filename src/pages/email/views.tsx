import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Deps } from '../../deps.ts';
import type { Credential } from '../../features/credential/schema.ts';
import { codeTtlSeconds } from '../../features/email/code.ts';
import { askedEmail } from '../../features/email/cookie.ts';
import { acceptDeviceLink } from '../../features/session/device-cookie.ts';
import { readClaimCookie } from '../../features/sign-in/cookies.ts';
import { type AppContext, localeOf } from '../../http/context.ts';
import { clientOrigin, renderPage } from '../../ui/page.tsx';
import { emailTexts } from '../messages/email.ts';
import { resendScript } from '../scripts/resend.ts';
import { emailPageEndpoints } from '../shared/endpoints.ts';
import { providerNames } from '../shared/names.ts';
import { markPopup, renderInPopup } from '../shared/popup-frame.tsx';
import {
  ExpiredCard,
  ForgotCard,
  RegisterCard,
  ResetCard,
  ResetDoneCard,
  VerifiedCard,
  VerifyCard,
} from './cards.tsx';
import { along, claimUrl, type EmailProblems, pageOf, readEmail, readWay, type Way } from './entry.ts';

export type PageName = keyof typeof emailPageEndpoints;

type Answer = Response | Promise<Response>;

/** The contents of a page: the entry and its problems. */
export interface Shown {
  readonly way: Way;
  readonly email: string;
  readonly problems?: EmailProblems;
  readonly status?: ContentfulStatusCode;
}

export type ShowPage = (c: AppContext, deps: Deps, shown: Shown) => Answer;

const minutes = codeTtlSeconds / 60;

/** The pages with a form, except the sign-in, which also shows the other methods. */
export const show: Record<Exclude<PageName, 'login'>, ShowPage> = {
  register(c, deps, shown) {
    const least = deps.config.PASSWORD_MIN_LENGTH;
    const card = <RegisterCard {...{ ...shown, least }} />;
    return render(c, deps, { ...shown, name: 'register', title: 'registerTitle' }, card);
  },
  verify(c, deps, shown) {
    const resent = shown.problems === undefined && c.req.query('resent') !== undefined;
    const card = <VerifyCard {...{ ...shown, minutes, resent }} />;
    const page = { name: 'verify', title: 'verifyTitle', script: resendScript } as const;
    return render(c, deps, { ...shown, ...page }, card);
  },
  forgot(c, deps, shown) {
    return render(c, deps, { ...shown, name: 'forgot', title: 'forgotTitle' }, <ForgotCard {...shown} />);
  },
  reset(c, deps, shown) {
    const least = deps.config.PASSWORD_MIN_LENGTH;
    const card = <ResetCard {...{ ...shown, minutes, least }} />;
    return render(c, deps, { ...shown, name: 'reset', title: 'resetTitle' }, card);
  },
};

/** A page as first opened: empty, or with the address for which this browser requested a code. */
export async function getPage(
  c: AppContext,
  deps: Deps,
  name: PageName,
  showLogin: ShowPage,
): Promise<Response> {
  const way = readWay(deps, { get: (key) => c.req.query(key) });
  markPopup(c, way.popup);
  const link = name === 'forgot' ? c.req.query('browser') : undefined;
  if (link !== undefined) acceptDeviceLink(c, deps, link);
  if (name !== 'verify' && name !== 'reset') {
    const page = name === 'login' ? showLogin : show[name];
    return page(c, deps, { way, email: readEmail(c.req.query('email')) });
  }
  const email = await askedEmail(c, deps);
  if (email !== null) return show[name](c, deps, { way, email });
  if (name === 'verify' && readClaimCookie(c, deps) !== null) {
    return render(
      c,
      deps,
      { way, email: '', name, title: 'verifiedTitle' },
      <VerifiedCard claimUrl={claimUrl(way)} />,
    );
  }
  const before = name === 'verify' ? 'register' : 'forgot';
  const path = along(emailPageEndpoints[before].path, way);
  const action = emailTexts[localeOf(c)][before];
  return render(
    c,
    deps,
    { way, email: '', name, title: 'expiredTitle' },
    <ExpiredCard {...{ minutes, path, action }} />,
  );
}

/** Confirms a reset and lists the owner's other credentials. */
export function showResetDone(
  c: AppContext,
  deps: Deps,
  { way, ...done }: { way: Way; end: string | null; credentials: readonly Credential[] },
): Answer {
  const card = <ResetDoneCard {...{ way, ...done, names: providerNames(deps) }} />;
  return render(c, deps, { way, email: '', name: 'forgot', title: 'resetDoneTitle' }, card);
}

interface View {
  readonly way: Way;
  readonly email: string;
  readonly name: PageName;
  readonly title: keyof (typeof emailTexts)['en'];
  readonly status?: ContentfulStatusCode;
  readonly script?: string;
}

/** Forms may redirect to the client, where a sign-in ends; in a popup it ends in the popup. */
function render(c: AppContext, deps: Deps, view: View, body: Child): Answer {
  const { way, status = 200, script, name, email } = view;
  const title = emailTexts[localeOf(c)][view.title];
  const options = { title, status, script, here: pageOf(name, { ...way, email }) };
  if (way.popup === null) {
    return renderPage(c, deps, { ...options, formTargets: [clientOrigin(deps, way.returnTo)] }, body);
  }
  return renderInPopup(c, deps, { ...options, frame: { popup: way.popup, phase: 'choose' } }, body);
}
