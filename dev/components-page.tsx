import { Card, Dialog, Empty, Ending, Notice, Problem, Toast } from '../src/ui/components/card.tsx';
import { ChoiceField, CodeField, Field, LinesField } from '../src/ui/components/field.tsx';
import { Button, LinkButton } from '../src/ui/components/form.tsx';
import { ProviderLink } from '../src/ui/components/icon.tsx';
import { Pager, Table } from '../src/ui/components/list.tsx';
import { Person } from '../src/ui/components/text.tsx';

/** Shows every component to developers, always in English. */
export function ComponentsPage() {
  return (
    <div lang="en">
      <h1>Components</h1>
      <Toast>Toast: something has been done</Toast>
      <Problem text="Problem: something has to change" />
      <Buttons />
      <Fields />
      <Notices />
      <PeopleAndProviders />
      <Movements />
      <Dialog id="sample" title="A question?">
        <p>It covers the page, and Escape closes it.</p>
        <Ending>
          <form method="dialog">
            <Button text="Cancel" />
          </form>
        </Ending>
      </Dialog>
    </div>
  );
}

function Buttons() {
  return (
    <Card heading="Buttons" lead="One main action at most.">
      <form method="get" class="row">
        <Button look="main" text="Main" />
        <Button text="Plain" />
        <Button look="danger" text="Danger" />
        <Button look="danger main" text="Danger, decided" />
        <Button look="link" text="Link" />
        <Button disabled text="Disabled" />
        <LinkButton href="/dev/pages" text="Leads somewhere" />
        <LinkButton href="/dev/pages/account-unlink-page" opens="sample" text="Opens a dialog" />
      </form>
    </Card>
  );
}

function Fields() {
  return (
    <Card heading="Fields">
      <Field id="text" label="Text" hint="A hint under the field." />
      <Field id="handle" label="With a suffix" value="ayu" suffix="@pid" />
      <Field id="bad" label="With a problem" problems={['This is what is wrong']} />
      <LinesField id="lines" label="A list" lines={['One', 'Two']} hint="One a line." />
      <ChoiceField id="choice" label="A choice" choices={{ a: 'This', b: 'That' }} value="b" />
      <CodeField id="code" label="Code" hint="Six digits; paste works." problems={['This is not the code']} />
    </Card>
  );
}

function Notices() {
  return (
    <Card heading="Notices">
      <Notice title="To know." text="Something to know before going on." />
      <Notice kind="warning" title="To think about." text="Something that cannot be undone." />
      <Notice kind="problem" text="Something that was not done." />
      <Empty title="Nothing here yet" advice="What would be here, and how it comes." />
    </Card>
  );
}

function PeopleAndProviders() {
  return (
    <Card heading="People and providers">
      <div class="person">
        <Person name="Ayu Lestari" detail="a•••@example.com · Google" />
      </div>
      <div class="stack">
        <ProviderLink provider="google" href="#google" text="Continue with Google" />
        <ProviderLink provider="github" href="#github" text="Continue with GitHub" />
        <ProviderLink provider="passkey" href="#passkey" text="Use a passkey" main />
      </div>
      <p class="or">or</p>
    </Card>
  );
}

function Movements() {
  return (
    <Card heading="Table">
      <Table
        caption="Movements"
        columns={['What', 'When', 'Amount']}
        rows={[
          [<strong>Deposit</strong>, '1 June', <span class="number">1,250,000</span>],
          [<strong>Transfer</strong>, '2 June', <span class="number">−45,000</span>],
        ]}
      />
      <Pager path="/dev/pages/components" nextCursor="x" isFirst={false} />
    </Card>
  );
}
