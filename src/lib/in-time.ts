/**
 * The result of the work, or an error once it takes too long. The work itself goes on; the caller ends it.
 * @param what names the work in the error
 */
export async function inTime<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took too long`)), milliseconds);
  });
  // Work that loses the race may still fail, which no longer matters.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
