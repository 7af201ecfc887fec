/** A moment as JSON and pages show it. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
