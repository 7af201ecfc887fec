/**
 * The work, or an error once it takes too long. What goes on behind it is the caller's to end.
 * @param what names the work in the error
 */
export async function inTime<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took too long`)), milliseconds);
  });
  // Whoever loses the race may still fail, which by then is nobody's concern.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
