import type { SignInProblem } from "@portico/protocol";

/** A sign-in by a provider that is refused, in words that the person gets. */
export class OidcProblem extends Error {
  override readonly name = "OidcProblem";
  readonly problem: SignInProblem;

  /** @param reason for the operator's log; it holds no code, token or key. */
  constructor(problem: SignInProblem, reason: string, options?: ErrorOptions) {
    super(`${problem}: ${reason}`, options);
    this.problem = problem;
  }
}
