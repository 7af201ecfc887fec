import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import {
  attemptOf,
  deskRole,
  hasPasskey,
  requireAdministrator,
  requireDeskRole,
} from '../../features/admin/require-admin.ts';
import { type LedgerAlarm, readStopped } from '../../features/admin/stopped.ts';
import type { Locale } from '../../http/context.ts';
import { deskPath, deskPaths } from '../../lib/page-paths.ts';
import { Notice, Toast } from '../../ui/components/card.tsx';
import { described, FieldProblems } from '../../ui/components/field.tsx';
import { Button } from '../../ui/components/form.tsx';
import { renderPage } from '../../ui/page.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import type { Answer, Member, Refusal } from '../member/member.tsx';
import { AccountCorner, SignInAgain } from '../member/page.tsx';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { passkeyScript } from '../scripts/passkey.ts';
import { StoppedNotice } from './ledger-card.tsx';

const tabs = { overview: deskPath, people: deskPaths.people, audit: deskPaths.audit } as const;

export interface DeskShellProps {
  readonly tab: keyof typeof tabs;
  /** The subject of the page, if it is not a whole tab. */
  readonly subject?: string | undefined;
  /** True for support, which sees only its own actions. */
  readonly isAdministrator?: boolean;
  /** Why all money is stopped, if it is. */
  readonly stopped?: LedgerAlarm | null;
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

interface SearchProps extends Pick<DeskShellProps, 'q' | 'problems'> {
  readonly isExplained: boolean;
}

/** The frame of the admin desk's pages: the search, the tabs and the result of the last form. */
export function DeskShell(props: DeskShellProps) {
  const { tab, isAdministrator, stopped = null, done, isKept, sandbox, problem, children } = props;
  const { q, problems = [] } = props;
  const texts = useTexts(deskFrameTexts);
  const isExplained = tab === 'people' && children === undefined;
  return (
    <>
      <div class="spread">
        <h1 tabindex={-1}>{props.subject ?? texts[tab]}</h1>
        <DeskSearch {...{ q, problems, isExplained }} />
      </div>
      {isAdministrator && (
        <nav class="tabs" aria-label={texts.tabs}>
          {(Object.keys(tabs) as (keyof typeof tabs)[]).map((name) => (
            <a href={tabs[name]} aria-current={name === tab ? 'page' : undefined}>
              {texts[name]}
            </a>
          ))}
        </nav>
      )}
      {stopped !== null && <StoppedNotice {...stopped} />}
      {done !== undefined && <Toast>{done}</Toast>}
      {isKept && <Notice text={texts.kept} />}
      {problem !== undefined && (
        <div role="alert">
          <Notice kind="problem">{problem}</Notice>
        </div>
      )}
      {isExplained && (
        <p class="quiet" id="q-hint">
          {texts.searchHint}
        </p>
      )}
      {children}
      {sandbox !== undefined && <p class="hint">{fill(texts.sandbox, { ...sandbox })}</p>}
    </>
  );
}

/** The search in one line. Only its own page explains what it finds. */
function DeskSearch({ q = '', problems = [], isExplained }: SearchProps) {
  const texts = useTexts(deskFrameTexts);
  const input: Readonly<Record<string, string | number | boolean>> = {
    ...{ id: 'q', name: 'q', value: q, size: 32, placeholder: texts.search, autocomplete: 'off' },
    ...{ required: true, autocapitalize: 'none', spellcheck: 'false' },
    ...((problems.length > 0 || isExplained) && { autofocus: true }),
  };
  return (
    <search>
      <form action={deskPaths.people} class="field">
        <label for="q" class="unseen">
          {texts.search}
        </label>
        <div class="revealed">
          <input {...input} {...described('q', problems, isExplained)} />
          <Button look="link" text={texts.find} />
        </div>
        <FieldProblems id="q" problems={problems} />
      </form>
    </search>
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

export interface DeskPage
  extends Omit<DeskShellProps, 'isAdministrator' | 'problem' | 'sandbox' | 'stopped'> {
  /** The page's own address. */
  readonly here: string;
  readonly refusal?: Refusal | undefined;
  readonly status?: 200 | 400 | 404;
  readonly script?: string;
}

export async function renderDesk({ c, deps, actor, locale }: Member, page: DeskPage): Promise<Response> {
  const { here, refusal, status = refusal?.status ?? 200, script, ...shell } = page;
  const isAdministrator = deskRole(deps, actor.handle) === 'administrator';
  const isFirst = here === deskPath || here === deskPaths.people;
  const sandbox = isFirst ? sandboxHint(deps, locale) : undefined;
  const stopped = await readStopped(deps);
  const frame = { ...shell, isAdministrator, sandbox, stopped, problem: refusal?.problem };
  const options = { ...frameOf(locale, page.subject ?? deskFrameTexts[locale][page.tab]), status, script };
  return renderPage(c, deps, { ...options, ...(refusal && { here }) }, <DeskShell {...frame} />);
}

const frameOf = (locale: Locale, subject: string) => ({
  title: `${subject} · ${deskFrameTexts[locale].title}`,
  wide: true,
  corner: <AccountCorner />,
});

/** Shows a page of the admin desk, or requires a recent sign-in that leads back to `here`. */
export async function whileFresh(
  { c, deps, locale, sessionId }: Member,
  here: string,
  show: () => Promise<Response>,
): Promise<Response> {
  try {
    return await show();
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_fresh')) throw error;
    c.header('X-Error-Code', error.code);
    const byPasskey = await hasPasskey(deps, sessionId);
    const texts = deskFrameTexts[locale];
    const again = (
      <>
        <h1 tabindex={-1}>{texts.again}</h1>
        <Notice>
          <SignInAgain path={here} hasPasskey={byPasskey} />
          {c.req.method === 'POST' && <p class="hint">{texts.keptUntil}</p>}
        </Notice>
      </>
    );
    const options = { ...frameOf(locale, texts.again), here, status: error.status };
    return renderPage(c, deps, { ...options, ...(byPasskey && { script: passkeyScript }) }, again);
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
