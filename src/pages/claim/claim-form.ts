import { parseHandle } from '../../features/claim/handle.ts';
import { claimInput } from '../../features/claim/schema.ts';
import { isPopupId } from '../../lib/id.ts';
import { readReturnTo } from '../shared/return-to.ts';

/** What a person entered on the claim page, as they entered it. */
export interface ClaimEntry {
  readonly handle: string;
  readonly displayName: string;
  /** The handle once more: a PID is for good, and a slip of the fingers must not decide it. */
  readonly readBack: string;
  readonly returnTo: string | null;
  /** The popup request that the claim answers. */
  readonly popup: string | null;
}

/** What is wrong with an entry: texts by field, and those that belong to none. */
export interface ClaimProblems {
  readonly handle: readonly string[];
  readonly displayName: readonly string[];
  readonly readBack: readonly string[];
  readonly general: readonly string[];
}

export const noProblems: ClaimProblems = { handle: [], displayName: [], readBack: [], general: [] };

/** Reads the posted form. Who types the whole PID means its handle. */
export function readClaimForm(form: URLSearchParams): ClaimEntry {
  return {
    handle: withoutSuffix(form.get('handle')),
    displayName: form.get('displayName') ?? '',
    readBack: withoutSuffix(form.get('readBack')),
    returnTo: readReturnTo(form.get('returnTo')),
    popup: readPopup(form.get('popup')),
  };
}

/** The free handle whose button was pressed, if that is how the form was sent; it is put in and not claimed yet. */
export function readSuggestion(form: URLSearchParams): string | null {
  const handle = parseHandle(form.get('suggestion') ?? '');
  return handle.ok ? handle.handle : null;
}

function withoutSuffix(value: string | null): string {
  return (value ?? '').trim().replace(/@pid$/i, '');
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
    readBack: entry.readBack.toLowerCase() === entry.handle.toLowerCase() ? [] : ['readBack'],
    general: [],
  };
  return Object.values(problems).some((texts) => texts.length > 0) ? problems : null;
}

/** A person who empties the name wants none of the provider's; their handle is shown in its place. */
export function shownName({ displayName, handle }: ClaimEntry): string {
  return displayName.trim() || handle;
}
