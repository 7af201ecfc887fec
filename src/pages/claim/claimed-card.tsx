import { Card, Steps } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { claimTexts } from '../messages/claim.ts';
import { type Place, usePlaceName } from '../shared/continue-to.tsx';
import { Holder } from '../shared/holder.tsx';

interface ClaimedProps {
  readonly pid: string;
  readonly name: string;
  readonly place: Place;
  /** Where the sign-in ends. */
  readonly next: string;
}

/** The moment after a claim: the PID, to be copied, and the way on. */
export function ClaimedCard({ pid, name, place, next }: ClaimedProps) {
  const texts = useTexts(claimTexts);
  const placeName = usePlaceName(place);
  const goOn = placeName === null ? texts.toAccount : fill(texts.goOn, { place: placeName });
  return (
    <>
      <Steps steps={[texts.stepProve, texts.stepChoose, texts.stepDone]} current={2} />
      <Card title={fill(texts.doneTitle, { pid })} lead={texts.doneLead}>
        <Holder {...{ name, pid }} />
        <LinkButton href={next} look="main" full text={goOn} />
      </Card>
    </>
  );
}
