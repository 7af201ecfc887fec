import { claimEndpoints } from '../../features/claim/endpoints.ts';
import type { ClaimPreview } from '../../features/claim/schema.ts';
import { startSignInEndpoint } from '../../features/idp/endpoints.ts';
import type { PopupRequest } from '../../features/popup/popup.ts';
import { providerIds } from '../../lib/credential-kinds.ts';
import { maskEmail } from '../../lib/email.ts';
import { pidOf } from '../../lib/id.ts';
import { signInPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Dialog, Ending, Problem } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import {
  Actions,
  Button,
  CopyButton,
  DefaultButton,
  Form,
  Hidden,
  LinkButton,
} from '../../ui/components/form.tsx';
import { Countdown, Person } from '../../ui/components/text.tsx';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { claimLinkTexts, claimTexts } from '../messages/claim.ts';
import { Opener, type Place, usePlaceName } from '../shared/continue-to.tsx';
import { pageEndpoints } from '../shared/endpoints.ts';
import { problemIn } from '../shared/form.ts';
import type { ClaimEntry, ClaimProblems } from './claim-form.ts';

export interface ClaimCardProps {
  readonly preview: ClaimPreview;
  readonly providerName: string;
  readonly entry: ClaimEntry;
  readonly problems: ClaimProblems;
  readonly suggestions: readonly string[];
  /** True if the server has just found that the handle is available. */
  readonly isFree?: boolean;
  /** The popup request that the claim approves. */
  readonly request?: PopupRequest | null;
}

/** The dialog that asks whether to claim the PID. */
const question = 'sure';

/** The claim screen: the account the person continues with, and the permanent choice of a handle. */
export function ClaimCard(props: ClaimCardProps) {
  const { preview, entry, problems, suggestions, request = null, isFree = false } = props;
  const linkTexts = useTexts(claimLinkTexts);
  const texts = useTexts(claimTexts);
  const { locale } = useView();
  const say = (field: keyof ClaimProblems) => problems[field].map((text) => problemIn(locale, text));
  return (
    <Card title={texts.title} lead={texts.lead}>
      {request !== null && <Opener request={request} />}
      {problems.general.map((text) => (
        <Problem text={text} lang={locale === 'id' ? undefined : 'id'} />
      ))}
      <Who {...props} />
      <form method="post" action={claimEndpoints.claim.path}>
        <DefaultButton text={texts.submit} opens={question} />
        <Hidden fields={keptOf(entry)} />
        <HandleField {...{ entry, isFree }} problems={say('handle')} />
        <Suggestions handles={suggestions} />
        <Name value={entry.displayName} problems={say('displayName')} />
        <Actions>
          <Button look="main" text={texts.submit} opens={question} />
        </Actions>
        <Dialog id={question} title={texts.submit}>
          <p>{texts.permanent}</p>
          <Ending>
            <button type="button">{texts.change}</button>
            <Button name="confirmed" look="main" text={texts.submit} />
          </Ending>
        </Dialog>
      </form>
      {request === null && <TimeLeft until={preview.expiresAt} next={signInAgain(preview, entry)} />}
      {entry.popup === null && (
        <p>
          <a href={withQuery(pageEndpoints.showClaimLink.path, { returnTo: entry.returnTo })}>
            {linkTexts.offer}
          </a>
          <span class="hint">{linkTexts.offerHint}</span>
        </p>
      )}
    </Card>
  );
}

/** The question as a page, for browsers without script. */
export function SureCard({ entry, request = null }: Pick<ClaimCardProps, 'entry' | 'request'>) {
  const texts = useTexts(claimTexts);
  const { handle, displayName } = entry;
  const pid = pidOf(handle.toLowerCase());
  return (
    <Card title={fill(texts.sure, { pid })} lead={texts.permanent}>
      {request !== null && <Opener request={request} />}
      <Form action={claimEndpoints.claim.path} class="act" hidden={{ ...keptOf(entry), handle, displayName }}>
        <Button name="confirmed" value={handle} look="main" text={fill(texts.claim, { pid })} />
        <Button name="suggestion" value={handle} text={texts.change} />
      </Form>
    </Card>
  );
}

/** The sign-in that led here. */
function signInAgain({ provider }: ClaimPreview, { returnTo }: ClaimEntry): string {
  const known = providerIds.find((id) => id === provider);
  return withQuery(known ? startSignInEndpoint(known).path : signInPath, { returnTo });
}

/** @param next the target of the script if someone else has used the ticket */
function TimeLeft({ until, next }: { until: string; next: string }) {
  const texts = useTexts(claimTexts);
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - useView().now) / 1000));
  return (
    <p class="hint" data-next={next}>
      <Countdown
        {...{ seconds, text: texts.countdown, over: texts.timeOver }}
        first={fill(texts.timeLeft, { minutes: Math.ceil(seconds / 60) })}
      />
    </p>
  );
}

/** The ticket's owner, and a way out for anyone else. */
function Who({ preview, providerName, entry }: ClaimCardProps) {
  const texts = useTexts(claimTexts);
  const email = preview.email === null ? null : maskEmail(preview.email);
  const detail = preview.displayName !== null && email !== null ? `${email} · ${providerName}` : providerName;
  return (
    <div class="who field">
      <p class="hint">{texts.continueAs}</p>
      <div class="person">
        <Person name={preview.displayName ?? email ?? texts.someoneNew} detail={detail} />
      </div>
      <Form action={pageEndpoints.leaveClaim.path} hidden={keptOf(entry)}>
        <Button look="link" text={texts.notMe} />
      </Form>
    </div>
  );
}

/** Every form contains the origin of the claim. */
function keptOf({ popup, returnTo }: ClaimEntry) {
  return { popup, returnTo };
}

interface HandleFieldProps {
  readonly entry: ClaimEntry;
  readonly problems: readonly string[];
  readonly isFree: boolean;
}

function HandleField({ entry, problems, isFree }: HandleFieldProps) {
  const texts = useTexts(claimTexts);
  const { free, checking, taken, reserved, invalid, suggest, sure, claim } = texts;
  const said = { free, checking, taken, reserved, invalid, suggest, sure, claim };
  const data = Object.fromEntries(Object.entries(said).map(([name, text]) => [`data-${name}`, text]));
  const typedExactly = { required: true, autocapitalize: 'none', spellcheck: 'false' };
  return (
    <Field
      id="handle"
      label={texts.handle}
      value={entry.handle}
      suffix="@pid"
      hint={texts.handleHint}
      input={{ placeholder: texts.placeholder, ...typedExactly }}
      problems={problems}
    >
      <p class={isFree ? 'good' : 'hint'} id="handle-state" role="status" {...data}>
        {isFree ? fill(free, { pid: pidOf(entry.handle) }) : ''}
      </p>
    </Field>
  );
}

/** Available handles to choose with one click. The chosen handle still has to be confirmed. */
function Suggestions({ handles }: { handles: readonly string[] }) {
  const texts = useTexts(claimTexts);
  return (
    <div class="field" id="suggestions" hidden={handles.length === 0}>
      <p class="label">{texts.suggestions}</p>
      <div class="row">
        {handles.map((handle) => (
          <button
            type="submit"
            name="suggestion"
            value={handle}
            formnovalidate
            aria-label={fill(texts.suggest, { pid: pidOf(handle) })}
          >
            {pidOf(handle)}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The public name, which few people change here. */
function Name({ value, problems }: { value: string; problems: readonly string[] }) {
  const texts = useTexts(claimTexts);
  return (
    <details class="quiet" open={problems.length > 0}>
      <summary>
        {`${texts.displayName}: `}
        <b>{value || texts.yourHandle}</b> <span class="link">{texts.edit}</span>
      </summary>
      <Field
        id="displayName"
        label={texts.displayName}
        autocomplete="name"
        hint={texts.displayNameHint}
        {...{ value, problems }}
      />
    </details>
  );
}

interface ClaimedProps {
  readonly pid: string;
  readonly name: string;
  readonly place: Place;
  /** The destination of the sign-in. */
  readonly next: string;
}

/** The page after a claim: the PID to copy, and the link to continue. */
export function ClaimedCard({ pid, name, place, next }: ClaimedProps) {
  const texts = useTexts(claimTexts);
  const placeName = usePlaceName(place);
  const goOn = placeName === null ? texts.toAccount : fill(texts.goOn, { place: placeName });
  return (
    <Card isDone title={fill(texts.doneTitle, { pid })} lead={texts.doneLead}>
      <div class="pass">
        {name}
        <b id="pid">{pid}</b>
        <CopyButton id="pid" text={useTexts(accountTexts).copyPid} />
      </div>
      <Actions>
        <LinkButton href={next} look="main" text={goOn} />
      </Actions>
    </Card>
  );
}
