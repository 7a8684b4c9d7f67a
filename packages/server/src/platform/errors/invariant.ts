/** Something that the program guarantees to itself does not hold: a bug. It is logged and answered as an internal error. */
class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";

  /** @param invariant what should have held, as docs/concurrency.md says it. */
  constructor(invariant: string) {
    super(`broken invariant: ${invariant}`);
  }
}

/**
 * Checks what must hold. The text is constant: building it would cost something at every check.
 *
 * @throws InvariantBroken when it does not hold.
 */
export function invariant(holds: boolean, text: string): asserts holds {
  if (!holds) throw new InvariantBroken(text);
}
