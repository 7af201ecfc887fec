import { parseHandle } from '../features/claim/handle.ts';
import { claimInput } from '../features/claim/schema.ts';
import { isPopupId } from '../lib/id.ts';
import { readReturnTo } from './return-to.ts';

/** What a person entered on the claim page, as they entered it. */
export interface ClaimEntry {
  readonly handle: string;
  readonly displayName: string;
  readonly confirmed: boolean;
  readonly returnTo: string | null;
  /** The popup request that the claim answers. */
  readonly popup: string | null;
}

/** What is wrong with an entry: texts by field, and those that belong to none. */
export interface ClaimProblems {
  readonly handle: readonly string[];
  readonly displayName: readonly string[];
  readonly confirmed: readonly string[];
  readonly general: readonly string[];
}

export const noProblems: ClaimProblems = { handle: [], displayName: [], confirmed: [], general: [] };

/** Reads the posted form. A suggestion's button comes after the text field, so its handle is the last one. */
export function readClaimForm(form: URLSearchParams): ClaimEntry {
  return {
    handle: form.getAll('handle').at(-1)?.trim() ?? '',
    displayName: form.get('displayName') ?? '',
    confirmed: form.has('confirmed'),
    returnTo: readReturnTo(form.get('returnTo')),
    popup: readPopup(form.get('popup')),
  };
}

/** The popup request that a page's query or form names; null for anything else. */
export function readPopup(value: string | null | undefined): string | null {
  return isPopupId(value) ? value : null;
}

/** Everything wrong with an entry at once, as far as that can be said without asking whether a handle is free. */
export function findProblems(entry: ClaimEntry): ClaimProblems | null {
  const handle = parseHandle(entry.handle);
  const input = claimInput.safeParse({ handle: entry.handle, displayName: shownName(entry) });
  const issues = input.error?.issues ?? [];
  const problems: ClaimProblems = {
    handle: handle.ok ? [] : handle.problems,
    displayName: issues.filter(({ path }) => path[0] === 'displayName').map(({ message }) => message),
    confirmed: entry.confirmed ? [] : ['Confirm that you understand that a PID cannot be changed'],
    general: [],
  };
  return Object.values(problems).some((texts) => texts.length > 0) ? problems : null;
}

/** A person who empties the name wants none of the provider's; their handle is shown in its place. */
export function shownName({ displayName, handle }: ClaimEntry): string {
  return displayName.trim() || handle;
}
