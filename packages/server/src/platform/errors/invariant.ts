/** A guarantee of the program is violated, which is a bug. Logged, and answered as an internal error. */
class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";

  /** @param invariant the violated invariant, in the words of docs/concurrency.md. */
  constructor(invariant: string) {
    super(`broken invariant: ${invariant}`);
  }
}

/**
 * Asserts an invariant. The text must be constant, because building it would cost time at every check.
 *
 * @throws InvariantBroken when it does not hold.
 */
export function invariant(holds: boolean, text: string): asserts holds {
  if (!holds) throw new InvariantBroken(text);
}
