/** The statement has not run, because one before it, which was sent together with it, has failed. */
export class Skipped extends Error {
  override readonly name = "Skipped";
  /** The SQLSTATE code of that failure: what can be done about it can be done about this. */
  readonly code: string | undefined;

  constructor(cause: Error & { code?: string | undefined }) {
    super("a statement before this one has failed", { cause });
    this.code = cause.code;
  }
}
