import type { Deps } from '../../deps.ts';
import { parseHandle } from '../../features/claim/handle.ts';
import { claimInput } from '../../features/claim/schema.ts';
import { readReturnTo } from '../../features/idp/return-to.ts';
import { isPopupId } from '../../lib/id.ts';
import { textOf } from '../shared/form.ts';

/** The person's entry on the claim page, unchanged. */
export interface ClaimEntry {
  readonly handle: string;
  readonly displayName: string;
  /** The handle that the person has confirmed: a PID is permanent, so a typo must not be final. */
  readonly confirmed: string;
  readonly returnTo: string | null;
  /** The popup request that the claim approves. */
  readonly popup: string | null;
}

/** An entry's problems by field; `general` has those without a field. */
export interface ClaimProblems {
  readonly handle: readonly string[];
  readonly displayName: readonly string[];
  readonly general: readonly string[];
}

export const noProblems: ClaimProblems = { handle: [], displayName: [], general: [] };

/** Parses the posted form. A whole PID is accepted as its handle. */
export function readClaimForm(deps: Deps, form: URLSearchParams): ClaimEntry {
  return {
    handle: withoutSuffix(form.get('handle')),
    displayName: textOf(form, 'displayName'),
    confirmed: withoutSuffix(form.get('confirmed')),
    returnTo: readReturnTo(deps, form.get('returnTo')),
    popup: readPopup(form.get('popup')),
  };
}

/** The suggested handle whose button sent the form, if any. It is filled into the field but not claimed yet. */
export function readSuggestion(form: URLSearchParams): string | null {
  const handle = parseHandle(textOf(form, 'suggestion'));
  return handle.ok ? handle.handle : null;
}

function withoutSuffix(value: string | null): string {
  return (value ?? '').trim().replace(/@pid$/i, '');
}

/** The popup request in a query or form; null if invalid. */
export function readPopup(value: string | null | undefined): string | null {
  return isPopupId(value) ? value : null;
}

/** All problems of an entry, except the handle's availability. */
export function findProblems(entry: ClaimEntry): ClaimProblems | null {
  const handle = parseHandle(entry.handle);
  const input = claimInput.safeParse({ handle: entry.handle, displayName: shownName(entry) });
  const issues = input.error?.issues ?? [];
  const problems: ClaimProblems = {
    handle: handle.ok ? [] : handle.problems,
    displayName: issues.filter(({ path }) => path[0] === 'displayName').map(({ message }) => message),
    general: [],
  };
  return Object.values(problems).some((texts) => texts.length > 0) ? problems : null;
}

/** Returns whether the person has confirmed this handle. */
export function isConfirmed({ handle, confirmed }: ClaimEntry): boolean {
  return handle.toLowerCase() === confirmed.toLowerCase();
}

/** The handle replaces an empty name. */
export function shownName({ displayName, handle }: ClaimEntry): string {
  return displayName.trim() || handle;
}
