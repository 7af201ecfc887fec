import type { Child } from 'hono/jsx';
import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';
import { Button, LinkButton } from './button.tsx';
import { Card } from './card.tsx';
import { Dialog, Ending } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';

/** A question before something that cannot be undone, and the form that is sent on agreement. */
export interface Question extends FormProps {
  /** Of the dialog. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly submit: string;
}

/** The question in front of the page. */
export function QuestionDialog({ question }: { question: Question }) {
  return (
    <Dialog id={question.id} title={question.title}>
      <Body question={question}>
        <form method="dialog">
          <Button text={useTexts(commonTexts).cancel} />
        </form>
      </Body>
    </Dialog>
  );
}

/** The question as a page, for browsers without script. */
export function QuestionCard({ question, back }: { question: Question; back: string }) {
  return (
    <Card heading={question.title}>
      <Body question={question}>
        <LinkButton href={back} text={useTexts(commonTexts).cancel} />
      </Body>
    </Card>
  );
}

function Body({ question, children }: { question: Question; children: Child }) {
  const { id: _id, title: _title, text, submit, ...form } = question;
  return (
    <>
      <p>{text}</p>
      <Ending>
        {children}
        <Form {...form}>
          <Button look="danger main" text={submit} />
        </Form>
      </Ending>
    </>
  );
}
