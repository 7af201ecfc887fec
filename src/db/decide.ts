/** How often a change is tried when no reason for its refusal is found. */
const mostTries = 3;

/**
 * Makes a change by one conditional statement, and explains by a second one why it changed nothing. What happens between the
 * two may have removed the reason, for example money that arrives: then the change is tried again.
 * @param change answers null when it changed nothing
 * @param explain answers null when it finds no reason
 * @throws Error when there is still no reason: the condition of the change and the reasons contradict each other
 */
export async function decide<Done, Refusal>(
  change: () => Promise<Done | null>,
  explain: () => Promise<Refusal | null>,
): Promise<Done | Refusal> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const decided = (await change()) ?? (await explain());
    if (decided !== null) return decided;
  }
  throw new Error('a change was refused without a reason');
}
