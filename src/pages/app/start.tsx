import type { App } from '../../features/app/schema.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { CopyButton } from '../../ui/components/form.tsx';
import { useTexts } from '../../ui/view.ts';
import { appTexts, secretTexts } from '../messages/app.ts';
import { snippetOf } from './snippet.ts';

interface StartProps {
  readonly app: App;
  readonly service: string;
  /** Shown only once. */
  readonly secret: string | null;
}

/** A new app's id, its secret, and code that uses them. */
export function StartCard(props: StartProps) {
  const { app, secret } = props;
  const texts = useTexts(appTexts);
  const secrets = useTexts(secretTexts);
  const lead = { web: texts.readyWeb, spa: texts.readySpa, native: texts.readyNative }[app.type];
  const code = snippetOf(props);
  return (
    <Card heading={texts.ready} id="new-secret">
      <Copied id="new-id" label={texts.id} value={app.id} copy={secrets.copy} rows={1} />
      {secret !== null && (
        <>
          <Notice kind="warning" text={secrets.copyNow} />
          <Copied id="secret" label={secrets.newSecret} value={secret} copy={secrets.copy} rows={2} />
        </>
      )}
      <p>{lead}</p>
      <Copied id="snippet" label={texts.snippet} value={code} copy={texts.copySnippet} rows={16} />
    </Card>
  );
}

interface CopiedProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly copy: string;
  readonly rows: number;
}

/** Text to select, or to copy if scripts run. */
function Copied({ id, label, value, copy, rows }: CopiedProps) {
  return (
    <>
      <div class="field">
        <label for={id}>{label}</label>
        <textarea id={id} class="mono" rows={rows} readonly spellcheck={false}>
          {value}
        </textarea>
      </div>
      <p class="row">
        <CopyButton id={id} text={copy} />
      </p>
    </>
  );
}
