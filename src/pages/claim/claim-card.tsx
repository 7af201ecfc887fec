import { claimEndpoints } from '../../features/claim/endpoints.ts';
import type { ClaimPreview } from '../../features/claim/schema.ts';
import type { PopupRequest } from '../../features/popup/popup.ts';
import { maskEmail } from '../../lib/email.ts';
import { pidOf } from '../../lib/id.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Notice, ProblemSummary, Steps } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, DefaultButton, Form, Hidden, LinkButton } from '../../ui/components/form.tsx';
import { Countdown, Person } from '../../ui/components/text.tsx';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { claimLinkTexts, claimTexts } from '../messages/claim.ts';
import { Opener, type Place, usePlaceName } from '../shared/continue-to.tsx';
import { pageEndpoints } from '../shared/endpoints.ts';
import { problemIn } from '../shared/form.ts';
import { Holder } from '../shared/holder.tsx';
import type { ClaimEntry, ClaimProblems } from './claim-form.ts';

export interface ClaimCardProps {
  readonly preview: ClaimPreview;
  readonly providerName: string;
  readonly entry: ClaimEntry;
  readonly problems: ClaimProblems;
  readonly suggestions: readonly string[];
  /** True if the server has just checked that the handle is free. */
  readonly isFree?: boolean;
  /** The popup request that the claim answers. */
  readonly request?: PopupRequest | null;
}

/** The claim screen: who is signing up, and the permanent choice of a handle. */
export function ClaimCard(props: ClaimCardProps) {
  const { preview, entry, problems, suggestions, request = null, isFree = false } = props;
  const linkTexts = useTexts(claimLinkTexts);
  const texts = useTexts(claimTexts);
  const { locale } = useView();
  const say = (field: keyof ClaimProblems) => problems[field].map((text) => problemIn(locale, text));
  return (
    <>
      <Steps steps={[texts.stepProve, texts.stepChoose, texts.stepDone]} current={1} />
      <Card title={texts.title} lead={fill(texts.lead, { pid: pidOf(preview.suggestedHandle ?? 'ayu') })}>
        {request !== null && <Opener request={request} />}
        <Summary problems={problems} />
        <Who {...props} />
        <form method="post" action={claimEndpoints.claim.path}>
          <DefaultButton text={texts.submit} />
          <Hidden fields={keptOf(entry)} />
          <HandleField {...{ entry, isFree }} problems={say('handle')} />
          <Suggestions handles={suggestions} />
          <NameField value={entry.displayName} problems={say('displayName')} />
          <Notice kind="warning" title={texts.permanentTitle} text={texts.permanent} />
          <ReadBack problems={say('readBack')} />
          <Button look="main" full text={texts.submit} />
          <TimeLeft until={preview.expiresAt} />
        </form>
        {entry.popup === null && (
          <>
            <hr />
            <p>
              <a href={withQuery(pageEndpoints.showClaimLink.path, { returnTo: entry.returnTo })}>
                {linkTexts.offer}
              </a>
              <span class="hint">{linkTexts.offerHint}</span>
            </p>
          </>
        )}
      </Card>
    </>
  );
}

function TimeLeft({ until }: { until: string }) {
  const texts = useTexts(claimTexts);
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - useView().now) / 1000));
  return (
    <p class="hint">
      <Countdown
        {...{ seconds, text: texts.countdown, over: texts.timeOver }}
        first={fill(texts.timeLeft, { minutes: Math.ceil(seconds / 60) })}
      />
    </p>
  );
}

const fields = ['handle', 'displayName', 'readBack'] as const;

function Summary({ problems }: { problems: ClaimProblems }) {
  const { locale } = useView();
  const general = problems.general.map((text) => ({ text, lang: locale === 'id' ? undefined : 'id' }));
  const own = fields.flatMap((field) =>
    problems[field].map((text) => ({ text: problemIn(locale, text), field })),
  );
  return <ProblemSummary title={useTexts(claimTexts).lookAgain} problems={[...own, ...general]} />;
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

/** Both forms record where the claim came from. */
function keptOf({ popup, returnTo }: ClaimEntry) {
  return { popup, returnTo };
}

const typedExactly = { required: true, autocapitalize: 'none', spellcheck: 'false' };

interface HandleFieldProps {
  readonly entry: ClaimEntry;
  readonly problems: readonly string[];
  readonly isFree: boolean;
}

function HandleField({ entry, problems, isFree }: HandleFieldProps) {
  const texts = useTexts(claimTexts);
  const { free, checking, taken, reserved, invalid, suggest } = texts;
  const said = { free, checking, taken, reserved, invalid, suggest };
  const data = Object.fromEntries(Object.entries(said).map(([name, text]) => [`data-${name}`, text]));
  const input = { placeholder: texts.placeholder, ...typedExactly };
  return (
    <Field
      id="handle"
      label={texts.handle}
      value={entry.handle}
      suffix="@pid"
      hint={texts.handleHint}
      {...{ problems, input }}
    >
      <p class={isFree ? 'good' : 'hint'} id="handle-state" role="status" {...data}>
        {isFree ? fill(free, { pid: pidOf(entry.handle) }) : ''}
      </p>
    </Field>
  );
}

/** Free handles to choose with one click. A chosen one still has to be confirmed. */
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

function NameField({ value, problems }: { value: string; problems: readonly string[] }) {
  const texts = useTexts(claimTexts);
  return (
    <Field
      id="displayName"
      label={texts.displayName}
      autocomplete="name"
      hint={
        <span class="spread">
          {texts.displayNameHint}
          <span id="counter" class="number" hidden />
        </span>
      }
      {...{ value, problems }}
    />
  );
}

/** Never prefilled, not even after an error: it confirms the handle it is sent with. */
function ReadBack({ problems }: { problems: readonly string[] }) {
  const texts = useTexts(claimTexts);
  return (
    <Field id="readBack" label={texts.readBack} suffix="@pid" problems={problems} input={typedExactly}>
      <p class="good" id="matches" role="status" hidden>
        {texts.matches}
      </p>
    </Field>
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
    <>
      <Steps steps={[texts.stepProve, texts.stepChoose, texts.stepDone]} current={2} />
      <Card title={fill(texts.doneTitle, { pid })} lead={texts.doneLead}>
        <Holder {...{ name, pid }} />
        <LinkButton href={next} look="main" full text={goOn} />
      </Card>
    </>
  );
}
