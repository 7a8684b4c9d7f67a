/**
 * What the member has done in one card: entered, chosen, opened, by the component's {@link ElementNode.id}. Give a card
 * that is drawn again the one that it had before, and it shows all of that again.
 */
export type CardMemory = Map<string, Map<string, unknown>>;

/** What an entry is remembered by, and that it is not reported yet. */
export const ENTRY = "entry";
export const UNREPORTED = "unreported";

/** Whether the member has written something in the card that would be lost with its memory. */
export function hasUnreported(memory: CardMemory): boolean {
  return [...memory.values()].some((kept) => kept.has(UNREPORTED) && kept.has(ENTRY));
}

/** Forgets what was done in components that the card no longer has. */
export function forgetOthers(memory: CardMemory, ids: ReadonlySet<string>): void {
  for (const id of memory.keys()) if (!ids.has(id)) memory.delete(id);
}
