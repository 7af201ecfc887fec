import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { grantEndpoints } from '../../features/grant/endpoints.ts';
import { decideDevice, findDevice } from '../../features/oauth/device/decide.ts';
import { readUserCode } from '../../features/oauth/device-code.ts';
import { authorizeEndpoints } from '../../features/oauth/endpoints.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { requireOwnPage } from '../../http/origin.ts';
import { Routes } from '../../http/routes.ts';
import { devicePath } from '../../lib/page-paths.ts';
import { renderPage } from '../../ui/page.tsx';
import { memberForm, refusedAt } from '../member/form.tsx';
import { type Member, membersAt, type Refusal } from '../member/member.tsx';
import { deviceTexts } from '../messages/device.ts';
import { consentScript } from '../scripts/authorize.ts';
import { textOf } from '../shared/form.ts';
import { AskCard, CodeCard, DecidedCard } from './cards.tsx';

/** The page of a sign-in on a device without a browser (RFC 8628 section 3.3). Anything in its query is ignored. */
export function devicePages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const at = membersAt(deps, devicePath);
  pages.get(devicePath, at(grantEndpoints.listGrants, askForCode));
  pages.post(devicePath, at(authorizeEndpoints.authorize, submit));
  return pages;
}

async function askForCode({ c, deps, locale }: Member, refusal?: Refusal): Promise<Response> {
  const { title } = deviceTexts[locale];
  const options = { title, status: refusal?.status ?? 200, here: devicePath } as const;
  return renderPage(c, deps, options, <CodeCard typed={refusal?.typed} problems={refusal?.problems} />);
}

/** The typed code, or the decision about it. */
const submit = memberForm({
  again: askForCode,
  explain: (error, _, locale) =>
    error.code === 'code_refused' ? { code: [deviceTexts[locale].refused] } : null,
  onError: refusedAt(devicePath),
  async act(member, form) {
    requireOwnPage(member.c, member.deps);
    const decision = form.get('decision');
    const typed = textOf(form, 'code');
    if (decision === null) return ask(member, typed);
    if (decision !== 'allow' && decision !== 'deny')
      throw new AppError('validation_failed', ['decision must be allow or deny']);
    return decide(member, { typed, decision, proof: textOf(form, 'proof') });
  },
});

async function ask({ c, deps, actor, locale }: Member, typed: string): Promise<Response> {
  const { handle, sessionId } = actor;
  const screen = await findDevice(deps, typed, { handle, sessionId, address: c.env.address });
  const options = { title: deviceTexts[locale].title, here: devicePath, script: consentScript };
  const code = readUserCode(typed) ?? '';
  return renderPage(c, deps, options, <AskCard {...{ screen, code, handle }} />);
}

interface Submitted {
  readonly typed: string;
  readonly proof: string;
  readonly decision: 'allow' | 'deny';
}

async function decide({ c, deps, actor, locale }: Member, submitted: Submitted): Promise<Response> {
  const { handle, sessionId } = actor;
  const { app } = await decideDevice(deps, { ...submitted, handle, sessionId, client: clientInfo(c) });
  const isAllowed = submitted.decision === 'allow';
  const texts = deviceTexts[locale];
  const options = { title: isAllowed ? texts.allowedTitle : texts.deniedTitle, here: devicePath };
  return renderPage(c, deps, options, <DecidedCard app={isAllowed ? app : null} />);
}
