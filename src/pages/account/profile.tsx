import { accountEndpoints } from '../../features/account/endpoints.ts';
import type { Me } from '../../features/account/schema.ts';
import { localeNames } from '../../http/context.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, LinkButton } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatLanguage, formatNumber } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { profileTexts } from '../messages/account.ts';
import { type Entry, fieldOf } from '../shared/form.ts';

interface ProfileProps extends Entry {
  readonly me: Me;
}

/** The person's identity: its public part, the stored data, and how to close it. */
export function ProfilePanel({ me, ...entry }: ProfileProps) {
  const texts = useTexts(profileTexts);
  return (
    <>
      <Card heading={texts.heading} id="profile">
        <dl>
          <dt>{texts.pid}</dt>
          <dd>
            <strong>{me.pid}</strong>
            <div class="quiet">{fill(texts.permanent, { pid: me.pid })}</div>
          </dd>
          <dt>{texts.since}</dt>
          <dd>
            <Moment at={me.createdAt} as="day" />
          </dd>
        </dl>
        <form method="post" action={accountPaths.profile}>
          <Field
            {...fieldOf(entry, 'displayName', me.profile.displayName)}
            label={texts.displayName}
            autocomplete="name"
            hint={texts.displayNameHint}
            input={{ required: true }}
          />
          <LanguageField locale={me.profile.locale} />
          <Button look="main" text={texts.save} />
        </form>
      </Card>
      {me.wallet !== null && <StepUpCard me={me} {...entry} />}
      <Card heading={texts.dataHeading} lead={texts.dataLead} id="data">
        <LinkButton href={accountEndpoints.exportMe.path} text={texts.download} />
      </Card>
      <CloseCard problems={entry.problems?.['handle'] ?? []} />
    </>
  );
}

/** Drops a region with the same name as its language, as in `id-ID`, which would read "Indonesia (Indonesia)". */
function withoutRegion(tag: string): string {
  return /^(.+) \(\1\)$/.test(formatLanguage(tag)) ? tag.replace(/-.*/, '') : tag;
}

function LanguageField({ locale }: { locale: string | null }) {
  const texts = useTexts(profileTexts);
  const known = { '': texts.noLanguage, ...localeNames };
  const kept = withoutRegion(locale ?? '');
  const choices: Readonly<Record<string, string>> =
    kept in known ? known : { ...known, [kept]: formatLanguage(kept) };
  return (
    <div class="field">
      <label for="locale">{texts.language}</label>
      <select id="locale" name="locale">
        {Object.entries(choices).map(([tag, name]) => (
          <option value={tag} selected={tag === kept} lang={tag || undefined}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The amount above which the person has to sign in again for each payment. */
function StepUpCard({ me, ...entry }: ProfileProps) {
  const texts = useTexts(profileTexts);
  const { locale } = useView();
  const kept = me.stepUpAmount === null ? '' : formatNumber(locale, me.stepUpAmount);
  return (
    <Card heading={texts.paymentsHeading} id="payments">
      <form method="post" action={accountPaths.stepUp}>
        <Field
          {...fieldOf(entry, 'stepUpAmount', kept)}
          label={texts.stepUp}
          hint={texts.stepUpHint}
          input={{ inputmode: 'numeric' }}
        />
        <Button look="main" text={texts.save} />
      </form>
    </Card>
  );
}

/** Closes the identity. Typing the handle confirms this, with and without script. */
function CloseCard({ problems }: { problems: readonly string[] }) {
  const texts = useTexts(profileTexts);
  return (
    <Card heading={texts.closeHeading} id="close">
      <Notice kind="warning" text={texts.closeLead} />
      <form method="post" action={accountPaths.close}>
        <Field
          id="closeHandle"
          name="handle"
          label={texts.closeConfirm}
          suffix="@pid"
          problems={problems}
          input={{ required: true, autocapitalize: 'none', spellcheck: 'false' }}
        />
        <Button look="danger" text={texts.close} />
      </form>
    </Card>
  );
}
