import { accountEndpoints } from '../../features/account/endpoints.ts';
import type { Me } from '../../features/account/schema.ts';
import { localeNames } from '../../http/context.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, LinkButton } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatLanguage } from '../../ui/format.ts';
import { fill, useTexts } from '../../ui/view.ts';
import { profileTexts } from '../messages/account.ts';
import type { FormProblems } from '../shared/form.ts';

interface ProfileProps {
  readonly me: Me;
  /** What was typed into a form that was refused. */
  readonly typed?: URLSearchParams | undefined;
  readonly problems?: FormProblems | undefined;
}

/** The person's identity: what others see of it, the data held about it, and how to close it. */
export function ProfilePanel({ me, typed, problems = {} }: ProfileProps) {
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
            id="displayName"
            label={texts.displayName}
            value={typed?.get('displayName') ?? me.profile.displayName}
            autocomplete="name"
            hint={texts.displayNameHint}
            problems={problems['displayName'] ?? []}
            input={{ required: true }}
          />
          <LanguageField locale={me.profile.locale} />
          <Button look="main" text={texts.save} />
        </form>
      </Card>
      {me.wallet !== null && <StepUpCard {...{ me, typed, problems }} />}
      <Card heading={texts.dataHeading} lead={texts.dataLead} id="data">
        <LinkButton href={accountEndpoints.exportMe.path} text={texts.download} />
      </Card>
      <CloseCard problems={problems['handle'] ?? []} />
    </>
  );
}

function LanguageField({ locale }: { locale: string | null }) {
  const texts = useTexts(profileTexts);
  const known = { '': texts.noLanguage, ...localeNames };
  const kept = locale ?? '';
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

/** The amount above which the person signs in again for each payment. */
function StepUpCard({ me, typed, problems = {} }: ProfileProps) {
  const texts = useTexts(profileTexts);
  return (
    <Card heading={texts.paymentsHeading} id="payments">
      <form method="post" action={accountPaths.stepUp}>
        <Field
          id="stepUpAmount"
          label={texts.stepUp}
          value={typed?.get('stepUpAmount') ?? String(me.stepUpAmount ?? '')}
          autocomplete="off"
          hint={texts.stepUpHint}
          problems={problems['stepUpAmount'] ?? []}
          input={{ inputmode: 'numeric' }}
        />
        <Button look="main" text={texts.save} />
      </form>
    </Card>
  );
}

/** Closes the identity. Typing the handle confirms it, with and without script. */
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
          autocomplete="off"
          suffix="@pid"
          problems={problems}
          input={{ required: true, autocapitalize: 'none', spellcheck: 'false' }}
        />
        <Button look="danger" text={texts.close} />
      </form>
    </Card>
  );
}
