import { DefaultButton } from '../src/ui/components/form.tsx';
import { Person } from '../src/ui/components/text.tsx';
import { demoPeople } from './people.ts';
import type { RecentPeople } from './schema.ts';

interface PickerProps {
  readonly provider: { readonly name: string; readonly action: string };
  readonly request: string;
  readonly recent: RecentPeople;
}

/** A sandbox provider's sign-in page: choose a person to sign in as and faults to simulate. */
export function PickerCard({ provider, request, recent }: PickerProps) {
  return (
    <form method="post" action={provider.action} class="card">
      <h1>{`Sandbox sign-in: ${provider.name}`}</h1>
      <p class="quiet">
        This stands for the identity provider while you develop. Nobody here is real, and no password is
        asked.
      </p>
      <DefaultButton text="Continue as somebody new" />
      <input type="hidden" name="request" value={request} />
      {recent.length > 0 && <People title="People you made" people={recent.map(withId)} />}
      <People title="Demo people" people={demoPeople} />
      <fieldset>
        <legend>Somebody new</legend>
        <div class="field">
          <label for="name">Name</label>
          <input type="text" id="name" name="name" maxlength={64} autocomplete="off" />
        </div>
        <div class="field">
          <label for="email">Email</label>
          <input
            type="email"
            id="email"
            name="email"
            required
            autocomplete="off"
            placeholder="rani@example.com"
          />
          <p class="hint">The same address is the same person again.</p>
        </div>
        <button type="submit" class="main full">
          Continue as this person
        </button>
      </fieldset>
      <Knobs />
      <button type="submit" name="deny" value="1" formnovalidate class="full">
        Deny the request
      </button>
    </form>
  );
}

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

function withId({ name, email }: RecentPeople[number]): Choice {
  return { id: email, name, email };
}

function People({ title, people }: { title: string; people: readonly Choice[] }) {
  return (
    <fieldset class="stack">
      <legend>{title}</legend>
      {people.map(({ id, name, email }) => (
        <button type="submit" name="user" value={id} formnovalidate class="person">
          <Person name={name} detail={email} />
        </button>
      ))}
    </fieldset>
  );
}

const knobs = [
  ['unverified', 'The email address is not verified'],
  ['conflict', 'Show Ayu’s email address under another account (409; in revision direct no address)'],
  ['error', 'The token endpoint fails (502)'],
  ['coop', 'Pass a page that cuts a popup from its opener'],
] as const;

function Knobs() {
  return (
    <fieldset>
      <legend>What should go wrong</legend>
      {knobs.map(([name, text]) => (
        <label class="check">
          <input type="checkbox" name={name} value="1" />
          <span>{text}</span>
        </label>
      ))}
      <div class="field">
        <label for="slow">The token endpoint answers</label>
        <select id="slow" name="slow">
          <option value="0">at once</option>
          <option value="3">after 3 seconds</option>
          <option value="12">after 12 seconds, which is too late (502)</option>
        </select>
      </div>
    </fieldset>
  );
}

/** The page that the `coop` option inserts; the browser leaves it automatically. */
export function HopCard({ href }: { href: string }) {
  return (
    <section class="card">
      <h1>One moment</h1>
      <p>This page has cut itself off from the window that opened it, as some providers do.</p>
      <p>
        <a class="button main full" href={href}>
          Continue
        </a>
      </p>
    </section>
  );
}
