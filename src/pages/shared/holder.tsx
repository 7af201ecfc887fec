import type { Child } from 'hono/jsx';
import { CopyButton } from '../../ui/components/form.tsx';
import { Person } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';

/** The signed-in person, with the PID to copy. */
export function Holder({ name, pid, children }: { name: string; pid: string; children?: Child }) {
  return (
    <div class="spread holder">
      <div class="person">
        <Person name={name} detail={pid} id="pid" />
      </div>
      <div class="row">
        <CopyButton id="pid" text={useTexts(accountTexts).copyPid} />
        {children}
      </div>
    </div>
  );
}
