import type { ClaimPreview } from '../features/claim/schema.ts';
import type { PopupRequest } from '../features/popup/popup.ts';
import { maskEmail } from '../lib/email.ts';
import type { ClaimEntry, ClaimProblems } from './claim-form.ts';
import { DefaultButton } from './components/button.tsx';
import { Person } from './components/person.tsx';
import type { Locale } from './locale.ts';
import { claimLinkTexts } from './messages/claim-link.ts';
import { Opener } from './popup/cards.tsx';

interface ClaimCardProps {
  readonly locale: Locale;
  readonly preview: ClaimPreview;
  readonly providerName: string;
  readonly minutesLeft: number;
  readonly entry: ClaimEntry;
  readonly problems: ClaimProblems;
  readonly suggestions: readonly string[];
  /** What the claim answers when it stands in a popup. */
  readonly request: PopupRequest | null;
}

/** The claim screen: who the person continues as, and the one choice that is for good. */
export function ClaimCard(props: ClaimCardProps) {
  const { locale, preview, providerName, minutesLeft, entry, problems, suggestions, request } = props;
  const email = preview.email === null ? null : maskEmail(preview.email);
  const detail = preview.displayName !== null && email !== null ? `${email} · ${providerName}` : providerName;
  return (
    <section class="card">
      <h1>Choose your PID</h1>
      {request !== null && <Opener request={request} />}
      <ProblemSummary problems={problems} />
      <p class="quiet">You continue as</p>
      <div class="person">
        <Person name={preview.displayName ?? email ?? 'Someone new'} detail={detail} />
      </div>
      <form method="post" action="/v1/auth/claim">
        <DefaultButton>Claim this PID</DefaultButton>
        {entry.returnTo !== null && <input type="hidden" name="returnTo" value={entry.returnTo} />}
        {entry.popup !== null && <input type="hidden" name="popup" value={entry.popup} />}
        <HandleField value={entry.handle} texts={problems.handle} />
        <Suggestions handles={suggestions} />
        <NameField value={entry.displayName} texts={problems.displayName} />
        <Permanence texts={problems.confirmed} />
        <button type="submit" class="main full">
          Claim this PID
        </button>
      </form>
      <hr />
      {entry.popup === null && (
        <p lang={locale}>
          <a href="/v1/auth/claim/link">{claimLinkTexts[locale].offer}</a>
          <small class="hint">{claimLinkTexts[locale].offerHint}</small>
        </p>
      )}
      <form method="post" action="/v1/auth/claim/leave" class="spread">
        {entry.popup !== null && <input type="hidden" name="popup" value={entry.popup} />}
        <span class="quiet">{`Time left: ${minutesLeft} min`}</span>
        <button type="submit">This is not me</button>
      </form>
    </section>
  );
}

const fields = ['handle', 'displayName', 'confirmed'] as const;

function ProblemSummary({ problems }: { problems: ClaimProblems }) {
  if (Object.values(problems).every((texts) => texts.length === 0)) return null;
  return (
    <div class="problems" role="alert" tabindex={-1} autofocus>
      <h2>Please look at this again</h2>
      <ul>
        {fields.flatMap((field) =>
          problems[field].map((text) => (
            <li>
              <a href={`#${field}`}>{text}</a>
            </li>
          )),
        )}
        {problems.general.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function HandleField({ value, texts }: { value: string; texts: readonly string[] }) {
  return (
    <div class="field">
      <label for="handle">Handle</label>
      <div class="suffixed">
        <input
          type="text"
          id="handle"
          name="handle"
          value={value}
          placeholder="your.name"
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...described('handle', texts, 'handle-hint')}
        />
        <span id="handle-suffix">@pid</span>
      </div>
      <FieldProblems field="handle" texts={texts} />
      <p class="hint" id="handle-hint">
        3 to 30 letters a-z, digits, dots, hyphens or underscores. With @pid behind it, it is your PID.
      </p>
    </div>
  );
}

/** Each button claims its handle, once the box below is ticked. */
function Suggestions({ handles }: { handles: readonly string[] }) {
  if (handles.length === 0) return null;
  return (
    <div class="field">
      <p class="quiet">Free at the moment:</p>
      <div class="row">
        {handles.map((handle) => (
          <button type="submit" name="handle" value={handle}>
            {`Claim ${handle}@pid`}
          </button>
        ))}
      </div>
    </div>
  );
}

function NameField({ value, texts }: { value: string; texts: readonly string[] }) {
  return (
    <div class="field">
      <label for="displayName">Name shown to others</label>
      <input
        type="text"
        id="displayName"
        name="displayName"
        value={value}
        autocomplete="name"
        {...described('displayName', texts, 'displayName-hint')}
      />
      <FieldProblems field="displayName" texts={texts} />
      <p class="hint" id="displayName-hint">
        Optional, up to 64 characters. Without one your handle is shown.
      </p>
    </div>
  );
}

/** Never ticked in advance, also not after an error: it answers for the handle that is sent with it. */
function Permanence({ texts }: { texts: readonly string[] }) {
  return (
    <div class="warning">
      <p>
        <strong>A PID is chosen once.</strong> It never changes, and nobody can take it over, whatever you
        link or unlink later.
      </p>
      <label class="check" for="confirmed">
        <input
          type="checkbox"
          id="confirmed"
          name="confirmed"
          value="yes"
          required
          {...described('confirmed', texts)}
        />
        <span>
          I understand that <b>this cannot be changed</b>
        </span>
      </label>
      <FieldProblems field="confirmed" texts={texts} />
    </div>
  );
}

function FieldProblems({ field, texts }: { field: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div id={`${field}-problem`}>
      {texts.map((text) => (
        <p class="problem">{text}</p>
      ))}
    </div>
  );
}

/** Ties a field to its problem and its hint for those who cannot see that they stand together. */
function described(field: string, texts: readonly string[], hint?: string): Record<string, string> {
  const ids = [...(texts.length > 0 ? [`${field}-problem`] : []), ...(hint === undefined ? [] : [hint])];
  return {
    ...(texts.length > 0 ? { 'aria-invalid': 'true' } : {}),
    ...(ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}),
  };
}
