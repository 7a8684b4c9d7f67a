import { ApiError, type ApiErrorOptions, type CallRefusal, type ErrorKind } from "@portico/protocol";

/** What a {@link Refusal} may carry beside its row of the error table. */
export interface RefusalOptions extends ApiErrorOptions {
  /** What the caller is told; left out, what the error table says. */
  message?: string;
  /** Finds out more once the answer has been sent. */
  inquire?: Inquiry;
}

/** Completes what is known of a refusal. */
export type Inquiry = () => CallRefusal;

/** A refusal that says which check it comes from, and all that whoever asks for its reason may be shown. */
export class Refusal extends ApiError {
  readonly refusal: CallRefusal;
  readonly inquire: Inquiry | undefined;

  constructor(kind: ErrorKind, refusal: CallRefusal, { message, inquire, ...options }: RefusalOptions = {}) {
    super(kind, message, options);
    this.refusal = refusal;
    this.inquire = inquire;
  }
}

/**
 * The refusal of a member of the body: 400006.
 *
 * @param field its name, in a path of names joined by dots.
 */
export function wrongField(field: string, message: string): Refusal {
  return new Refusal("INVALID_REQUEST", { check: "schema", details: { field } }, { message });
}

/** Which check an error comes from, in default of its saying so itself. */
export function refusalOf(error: ApiError): CallRefusal {
  if (error instanceof Refusal) return error.refusal;
  if (error.kind === "INVALID_REQUEST") return { check: "schema", details: { field: null } };
  // The contract has business rules that are broken answered as if the service had failed; those have a reason.
  if (error.kind === "INTERNAL" && error.reason === undefined) return { check: "internal", details: null };
  return { check: "business", details: null };
}
