import { Button, LinkButton } from '../../ui/components/button.tsx';
import { Card } from '../../ui/components/card.tsx';
import { Dialog, Ending } from '../../ui/components/dialog.tsx';
import { commonTexts } from '../../ui/messages.ts';
import { useTexts } from '../../ui/view.ts';

/** A question before something that cannot be undone. */
export interface Question {
  /** Of the dialog. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The form, sent on agreement. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly submit: string;
}

/** The question in front of the page. */
export function QuestionDialog({ question }: { question: Question }) {
  const { cancel } = useTexts(commonTexts);
  return (
    <Dialog id={question.id} title={question.title}>
      <p>{question.text}</p>
      <Ending>
        <form method="dialog">
          <Button text={cancel} />
        </form>
        <Agreement question={question} />
      </Ending>
    </Dialog>
  );
}

/** The question as a page, for browsers without script. */
export function QuestionCard({ question, back }: { question: Question; back: string }) {
  const { cancel } = useTexts(commonTexts);
  return (
    <Card heading={question.title}>
      <p>{question.text}</p>
      <Ending>
        <LinkButton href={back} text={cancel} />
        <Agreement question={question} />
      </Ending>
    </Card>
  );
}

function Agreement({ question: { action, hidden = {}, submit } }: { question: Question }) {
  return (
    <form method="post" action={action}>
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button look="danger main" text={submit} />
    </form>
  );
}
