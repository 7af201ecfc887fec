import type { DeviceScreen } from '../../features/oauth/device/decide.ts';
import { writeUserCode } from '../../features/oauth/device-code.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { accountPaths, devicePath } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { Moment, Person } from '../../ui/components/text.tsx';
import { formatCountry } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deviceTexts } from '../messages/device.ts';
import { authorizeTexts } from '../messages/sign-in.ts';
import { AppDoubt, ScopeList } from '../shared/app-doubt.tsx';
import { type Entry, fieldOf } from '../shared/form.ts';

/** Asks for the code. No link can fill it in, so that the person has to look at the device. */
export function CodeCard(entry: Entry) {
  const texts = useTexts(deviceTexts);
  const input = { maxlength: 40, autocapitalize: 'characters', spellcheck: 'false', required: true };
  return (
    <Card title={texts.title} lead={texts.lead}>
      <Form action={devicePath}>
        <Field {...fieldOf(entry, 'code')} label={texts.code} hint={texts.hint} input={input} />
        <Button look="main" full text={texts.go} />
      </Form>
      <Notice kind="warning" title={texts.beware} text={texts.bewareText} />
    </Card>
  );
}

interface AskProps {
  readonly screen: DeviceScreen;
  /** The code, as eight letters. */
  readonly code: string;
  readonly handle: string;
}

/** Asks whether the device may act for the person. */
export function AskCard({ screen, code, handle }: AskProps) {
  const texts = useTexts(deviceTexts);
  const { may, allow, deny } = useTexts(authorizeTexts);
  const { app, doubt, scopes, proof } = screen;
  return (
    <Card title={texts.title}>
      <div class="person">
        <Person name={app} detail={fill(texts.asks, { pid: pidOf(handle) })} />
      </div>
      <AppDoubt doubt={doubt} text={texts.unchecked} />
      <p>
        {texts.compare} <strong>{writeUserCode(code)}</strong>
      </p>
      <Started {...screen} />
      <p>{may}</p>
      <ScopeList scopes={scopes} />
      <Notice kind="warning" text={texts.elsewhere} />
      <Form action={devicePath} hidden={{ code, proof }} class="act">
        <Button name="decision" value="allow" look="main" text={allow} />
        <Button name="decision" value="deny" text={deny} />
      </Form>
    </Card>
  );
}

/** When the device sent the request and, if known, from which country. */
function Started({ startedAt, country }: Pick<DeviceScreen, 'startedAt' | 'country'>) {
  const texts = useTexts(deviceTexts);
  const { locale } = useView();
  const text =
    country === null ? texts.started : fill(texts.startedIn, { country: formatCountry(locale, country) });
  return (
    <p class="quiet">
      <Moment text={text} at={isoTime(startedAt)} />
    </p>
  );
}

/** The outcome. */
export function DecidedCard({ app }: { app: string | null }) {
  const texts = useTexts(deviceTexts);
  return (
    <Card
      title={app === null ? texts.deniedTitle : texts.allowedTitle}
      lead={app === null ? texts.deniedText : fill(texts.allowedText, { app })}
      isDone={app !== null}
    >
      <LinkButton href={accountPaths.apps} full text={texts.seeApps} />
    </Card>
  );
}
