import type { ClaimPreview } from '../../features/claim/schema.ts';
import type { PopupRequest } from '../../features/popup/popup.ts';
import { maskEmail } from '../../lib/email.ts';
import { Button, DefaultButton } from '../../ui/components/button.tsx';
import { Card } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Notice, ProblemSummary } from '../../ui/components/notice.tsx';
import { Person } from '../../ui/components/person.tsx';
import { Steps } from '../../ui/components/steps.tsx';
import { fill } from '../../ui/locale.ts';
import { useTexts, useView } from '../../ui/view.ts';
import { claimTexts } from '../messages/claim.ts';
import { claimLinkTexts } from '../messages/claim-link.ts';
import { Opener } from '../shared/continue-to.tsx';
import { problemIn } from '../shared/problem.ts';
import type { ClaimEntry, ClaimProblems } from './claim-form.ts';

export interface ClaimCardProps {
  readonly preview: ClaimPreview;
  readonly providerName: string;
  readonly minutesLeft: number;
  readonly entry: ClaimEntry;
  readonly problems: ClaimProblems;
  readonly suggestions: readonly string[];
  /** The handle is free as far as the server knows, because it has just offered it. */
  readonly isFree?: boolean;
  /** What the claim answers when it stands in a popup. */
  readonly request?: PopupRequest | null;
}

/** The claim screen: who the person continues as, and the one choice that is for good. */
export function ClaimCard(props: ClaimCardProps) {
  const { entry, problems, suggestions, minutesLeft, request = null } = props;
  const linkTexts = useTexts(claimLinkTexts);
  const texts = useTexts(claimTexts);
  const { locale } = useView();
  const say = (field: keyof ClaimProblems) => problems[field].map((text) => problemIn(locale, text));
  return (
    <>
      <Steps steps={[texts.stepProve, texts.stepChoose, texts.stepDone]} current={1} />
      <Card title={texts.title} lead={texts.lead}>
        {request !== null && <Opener origin={request.origin} />}
        <Summary problems={problems} />
        <Who {...props} />
        <form method="post" action="/v1/auth/claim">
          <DefaultButton>{texts.submit}</DefaultButton>
          <Kept {...{ entry }} />
          <HandleField entry={entry} problems={say('handle')} isFree={props.isFree ?? false} />
          <Suggestions handles={suggestions} />
          <NameField value={entry.displayName} problems={say('displayName')} />
          <Notice kind="warning" title={texts.permanentTitle}>
            <p>{texts.permanent}</p>
          </Notice>
          <ReadBack problems={say('readBack')} />
          <Button look="main" full>
            {texts.submit}
          </Button>
          <p class="hint number">{fill(texts.timeLeft, { minutes: minutesLeft })}</p>
        </form>
        {entry.popup === null && (
          <>
            <hr />
            <p>
              <a href="/v1/auth/claim/link">{linkTexts.offer}</a>
              <span class="hint">{linkTexts.offerHint}</span>
            </p>
          </>
        )}
      </Card>
    </>
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

/** Who the ticket stands for, and the way out for everybody else. */
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
      <form method="post" action="/v1/auth/claim/leave">
        <Kept {...{ entry }} />
        <Button look="link">{texts.notMe}</Button>
      </form>
    </div>
  );
}

/** Where the claim came from goes with both forms. */
function Kept({ entry: { popup, returnTo } }: { entry: ClaimEntry }) {
  return (
    <>
      {popup !== null && <input type="hidden" name="popup" value={popup} />}
      {returnTo !== null && <input type="hidden" name="returnTo" value={returnTo} />}
    </>
  );
}

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
  const input = {
    placeholder: texts.placeholder,
    required: true,
    autocapitalize: 'none',
    spellcheck: 'false',
  };
  return (
    <Field
      id="handle"
      label={texts.handle}
      value={entry.handle}
      autocomplete="off"
      suffix="@pid"
      hint={texts.handleHint}
      {...{ problems, input }}
    >
      <p class={isFree ? 'good' : 'hint'} id="handle-state" role="status" {...data}>
        {isFree ? fill(free, { pid: `${entry.handle}@pid` }) : ''}
      </p>
    </Field>
  );
}

/** Handles that are free, each chosen by one press; claiming it takes the same confirmation as any other. */
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
            aria-label={fill(texts.suggest, { pid: `${handle}@pid` })}
          >
            {`${handle}@pid`}
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

/** Never filled in advance, also not after an error: it answers for the handle that is sent with it. */
function ReadBack({ problems }: { problems: readonly string[] }) {
  const texts = useTexts(claimTexts);
  const input = { required: true, autocapitalize: 'none', spellcheck: 'false' };
  return (
    <Field id="readBack" label={texts.readBack} autocomplete="off" suffix="@pid" {...{ problems, input }}>
      <p class="good" id="matches" role="status" hidden>
        {texts.matches}
      </p>
    </Field>
  );
}
