import type { Child } from 'hono/jsx';
import { claimEndpoints } from '../src/features/claim/endpoints.ts';
import { ChangeCard, LinkCodeCard, LinkEmailCard } from '../src/pages/account/email.tsx';
import {
  ExpiredCard,
  ForgotCard,
  RegisterCard,
  ResetCard,
  ResetDoneCard,
  VerifiedCard,
  VerifyCard,
} from '../src/pages/email/cards.tsx';
import { type EmailProblems, passwordProblem } from '../src/pages/email/entry.ts';
import { AccountShell } from '../src/pages/member/page.tsx';
import { emailTexts } from '../src/pages/messages/email.ts';
import { resendScript } from '../src/pages/scripts/resend.ts';
import { emailPageEndpoints } from '../src/pages/shared/endpoints.ts';
import { SignInCard } from '../src/pages/sign-in/sign-in-card.tsx';
import { useTexts, useView } from '../src/ui/view.ts';
import * as samples from './samples.ts';

const way = { returnTo: null, popup: null, toLink: false };
const email = 'ayu.lestari@example.com';
const common = { way, email };
const [minutes, least] = [10, 15];
const host = 'shop.example.com';

type Texts = (typeof emailTexts)['en'];

/** Shows a card with problems in the page's language. */
function WithProblems({
  of,
  show,
}: {
  of(texts: Texts): EmailProblems;
  show(problems: EmailProblems): Child;
}) {
  return <>{show(of(useTexts(emailTexts)))}</>;
}

function Weak({ show }: { show(problems: EmailProblems): Child }) {
  const { locale } = useView();
  return <>{show({ password: passwordProblem('common', least, locale) })}</>;
}

const wrongCode = (texts: Texts): EmailProblems => ({ code: texts.codeRefused });

/** The states of the email and password pages. */
export const emailStates = {
  'sign-in-email': {
    body: () => (
      <SignInCard providers={samples.providers} place={{ host }} email={{ way }} lastUsed="email" />
    ),
  },
  'sign-in-refused': {
    body: () => (
      <WithProblems
        of={(texts) => ({ password: texts.passwordRefused })}
        show={(problems) => (
          <SignInCard providers={samples.providers} place={{ host }} email={{ ...common, problems }} />
        )}
      />
    ),
  },
  'email-register': { body: () => <RegisterCard {...{ ...common, least }} email="" /> },
  'email-register-weak': {
    body: () => <Weak show={(problems) => <RegisterCard {...{ ...common, least, problems }} />} />,
  },
  'email-verify': {
    options: { script: resendScript },
    body: () => <VerifyCard {...{ ...common, minutes, resent: false }} />,
  },
  'email-verify-resent': { body: () => <VerifyCard {...{ ...common, minutes, resent: true }} /> },
  'email-verify-refused': {
    body: () => (
      <WithProblems
        of={wrongCode}
        show={(problems) => <VerifyCard {...{ ...common, minutes, problems, resent: false }} />}
      />
    ),
  },
  'email-verify-expired': { body: () => <Expired /> },
  'email-verified': { body: () => <VerifiedCard claimUrl={claimEndpoints.previewClaim.path} /> },
  'email-forgot': { body: () => <ForgotCard {...common} email="" /> },
  'email-reset': { body: () => <ResetCard {...{ ...common, minutes, least }} /> },
  'email-reset-refused': {
    body: () => (
      <WithProblems
        of={wrongCode}
        show={(problems) => <ResetCard {...{ ...common, minutes, least, problems }} />}
      />
    ),
  },
  'email-reset-done': {
    body: (now: number) => (
      <ResetDoneCard {...{ way, end: '/', credentials: samples.credentials(now), names: samples.names }} />
    ),
  },
  'email-reset-done-suspended': {
    body: () => <ResetDoneCard {...{ way, end: null, credentials: [], names: samples.names }} />,
  },
  'account-password': account(() => <ChangeCard {...{ least, email, problems: {} }} />),
  'account-password-weak': account(() => (
    <Weak show={(problems) => <ChangeCard {...{ least, email, problems }} />} />
  )),
  'account-email': account(() => <LinkEmailCard {...{ least, problems: {}, email: '' }} />),
  'account-email-code': account(() => <LinkCodeCard {...{ email, minutes, problems: {} }} />),
};

/** A card on the credentials page. */
function account(card: () => Child) {
  return { options: { wide: true }, body: () => <AccountShell tab="credentials">{card()}</AccountShell> };
}

function Expired() {
  const { register } = useTexts(emailTexts);
  return <ExpiredCard minutes={minutes} path={emailPageEndpoints.register.path} action={register} />;
}
