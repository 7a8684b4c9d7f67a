/**
 * What the member has done in one card: entered, chosen, opened, by the component's {@link ElementNode.id}. Give a card
 * that is drawn again the one that it had before, and it shows all of that again.
 */
export type CardMemory = Map<string, Map<string, unknown>>;

/** Forgets what was done in components that the card no longer has. */
export function forgetOthers(memory: CardMemory, ids: ReadonlySet<string>): void {
  for (const id of memory.keys()) if (!ids.has(id)) memory.delete(id);
}
