import type { App } from '../../features/app/schema.ts';
import { appPath } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { resourceTexts } from '../messages/app.ts';
import type { FormProblems } from '../shared/form-lines.ts';

interface ResourcesProps {
  readonly app: App;
  /** What was typed into a form that was refused. */
  readonly typed?: URLSearchParams | undefined;
  readonly problems?: FormProblems | undefined;
}

/** The other services that the app's access tokens may be for, and how to prove one. */
export function ResourcesCard({ app, typed, problems = {} }: ResourcesProps) {
  const texts = useTexts(resourceTexts);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="resources">
      <ul class="plain">
        {app.resources.map((one) => (
          <ResourceItem appId={app.id} {...one} />
        ))}
      </ul>
      <form method="post" action={appPath(app.id, 'resources')}>
        <Field
          id="resource"
          label={texts.address}
          value={typed?.get('resource') ?? ''}
          autocomplete="off"
          hint={
            <>
              {texts.proof} <code>{JSON.stringify({ owner: app.id, clients: [] })}</code>
            </>
          }
          problems={problems['resource'] ?? []}
          input={{ required: true, inputmode: 'url', autocapitalize: 'none', spellcheck: 'false' }}
        />
        <Button text={texts.add} />
      </form>
    </Card>
  );
}

function ResourceItem({ appId, resource, clients }: App['resources'][number] & { readonly appId: string }) {
  const texts = useTexts(resourceTexts);
  const action = appPath(appId, 'resources');
  return (
    <li>
      <h3>
        <code>{resource}</code>
      </h3>
      {clients.length > 0 && <p class="quiet">{fill(texts.clients, { apps: clients.join(', ') })}</p>}
      <div class="row">
        <Form {...{ action }} hidden={{ resource }}>
          <Button text={texts.check} label={fill(texts.checkNamed, { resource })} />
        </Form>
        <Form {...{ action }} hidden={{ resource, remove: 'true' }}>
          <Button look="danger" text={texts.remove} label={fill(texts.removeNamed, { resource })} />
        </Form>
      </div>
    </li>
  );
}
