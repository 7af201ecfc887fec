const slices = 10;

/**
 * The result of the work, or an error if it takes too long. The work itself continues; the caller has to end it.
 *
 * The time is measured in slices. A slice that ends late because the event loop was busy counts like any other, and a
 * response that has meanwhile arrived is read before the next slice ends.
 * @param what the name of the work in the error
 */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const wait = (left: number): void => {
      if (left === 0) reject(new Error(`${what} took too long`));
      else timer = setTimeout(wait, milliseconds / slices, left - 1);
    };
    wait(slices);
  });
  // Work that loses the race may still fail, which no longer matters.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
