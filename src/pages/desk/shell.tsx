import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import {
  attemptOf,
  deskRole,
  requireAdministrator,
  requireDeskRole,
} from '../../features/admin/require-admin.ts';
import type { Locale } from '../../http/context.ts';
import { deskPath, deskPaths } from '../../lib/page-paths.ts';
import { Card, Notice, Toast } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button } from '../../ui/components/form.tsx';
import { renderPage } from '../../ui/page.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import type { Answer, Member, Refusal } from '../member/member.tsx';
import { AccountCorner, SignInAgain } from '../member/page.tsx';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { passkeyScript } from '../scripts/passkey.ts';

const searchInput = { required: true, autocapitalize: 'none', spellcheck: 'false' };

const tabs = { overview: deskPath, people: deskPaths.people, audit: deskPaths.audit } as const;

export interface DeskShellProps {
  readonly tab: keyof typeof tabs;
  /** True for support, which sees only its own actions. */
  readonly isAdministrator?: boolean;
  /** The search text, and its problem, if any. */
  readonly q?: string | undefined;
  readonly problems?: readonly string[];
  /** Reports the change that the last form made. */
  readonly done?: Child;
  /** True if the form is filled in as it was before the person signed in again. */
  readonly isKept?: boolean;
  /** Only on the first page of the desk, and only in development. */
  readonly sandbox?: SandboxHint | undefined;
  /** The reason why the last form was rejected. */
  readonly problem?: Child;
  readonly children?: Child;
}

/** The frame of the admin desk's pages: the tabs, the search and the result of the last form. */
export function DeskShell({
  tab,
  isAdministrator,
  q,
  problems = [],
  done,
  isKept,
  sandbox,
  problem,
  children,
}: DeskShellProps) {
  const texts = useTexts(deskFrameTexts);
  return (
    <>
      <h1 tabindex={-1}>{useTexts(deskFrameTexts).title}</h1>
      {isAdministrator && (
        <nav class="tabs" aria-label={texts.tabs}>
          {(Object.keys(tabs) as (keyof typeof tabs)[]).map((name) => (
            <a href={tabs[name]} aria-current={name === tab ? 'page' : undefined}>
              {texts[name]}
            </a>
          ))}
        </nav>
      )}
      {done !== undefined && <Toast>{done}</Toast>}
      {isKept && <Notice text={texts.kept} />}
      {problem !== undefined && (
        <div role="alert">
          <Notice kind="problem">{problem}</Notice>
        </div>
      )}
      {tab !== 'audit' && (
        <Card id="find">
          <search>
            <form action={deskPaths.people}>
              <Field
                id="q"
                label={texts.search}
                hint={texts.searchHint}
                {...{ problems, value: q ?? '' }}
                input={{ ...searchInput, autofocus: tab === 'people' && children === undefined }}
              />
              <Button look="main" text={texts.find} />
            </form>
          </search>
        </Card>
      )}
      {children}
      {sandbox !== undefined && <p class="hint">{fill(texts.sandbox, { ...sandbox })}</p>}
    </>
  );
}

/** A hint for development: the people who may open the desk, and the origin with the mailbox and the clock. */
export interface SandboxHint {
  readonly origin: string;
  readonly administrators: string;
  readonly support: string;
}

function sandboxHint({ config }: Deps, locale: Locale): SandboxHint | undefined {
  if (config.production) return undefined;
  const list = (pids: readonly string[]) => pids.join(', ') || deskFrameTexts[locale].nobody;
  return {
    origin: config.origin,
    administrators: list(config.ADMIN_PIDS),
    support: list(config.SUPPORT_PIDS),
  };
}

export interface DeskPage extends Omit<DeskShellProps, 'isAdministrator' | 'problem' | 'sandbox'> {
  /** The page's own address. */
  readonly here: string;
  readonly refusal?: Refusal | undefined;
  readonly status?: 200 | 400 | 404;
}

export function renderDesk({ c, deps, actor, locale }: Member, page: DeskPage): Response | Promise<Response> {
  const { here, refusal, status = refusal?.status ?? 200, ...shell } = page;
  const isAdministrator = deskRole(deps, actor.handle) === 'administrator';
  const isFirst = here === deskPath || here === deskPaths.people;
  const sandbox = isFirst ? sandboxHint(deps, locale) : undefined;
  const body = <DeskShell {...{ ...shell, isAdministrator, sandbox, problem: refusal?.problem }} />;
  return renderPage(c, deps, { ...frameOf(locale), status, ...(refusal && { here }) }, body);
}

const frameOf = (locale: Locale) => ({
  title: deskFrameTexts[locale].title,
  wide: true,
  corner: <AccountCorner />,
});

/** Shows a page of the admin desk, or requires a recent sign-in that leads back to `here`. */
export async function whileFresh(
  { c, deps, locale }: Member,
  here: string,
  show: () => Promise<Response>,
): Promise<Response> {
  try {
    return await show();
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_fresh')) throw error;
    c.header('X-Error-Code', error.code);
    const again = (
      <>
        <h1 tabindex={-1}>{deskFrameTexts[locale].title}</h1>
        <Notice kind="problem">
          <SignInAgain path={here} />
          {c.req.method === 'POST' && <p class="hint">{deskFrameTexts[locale].keptUntil}</p>}
        </Notice>
      </>
    );
    const options = { ...frameOf(locale), here, status: error.status, script: passkeyScript };
    return renderPage(c, deps, options, again);
  }
}

export function forSupport(answer: Answer): Answer {
  return async (member, refusal) => {
    requireDeskRole(member.deps, member.actor);
    return answer(member, refusal);
  };
}

export function forAdministrators(answer: Answer): Answer {
  return async (member, refusal) => {
    await requireAdministrator(member.deps, member.actor, attemptOf(member.c));
    return answer(member, refusal);
  };
}
