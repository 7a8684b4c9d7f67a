import {
  ApiError,
  type ApiErrorCode,
  type ApiErrorOptions,
  BUSINESS_RULES,
  type BusinessRule,
  type CallRefusal,
  type SchemaProblem,
  type Stated,
} from "@portico/protocol";

/** What a {@link Refusal} may carry beside what it says. */
export interface RefusalOptions extends ApiErrorOptions {
  /** Collects more details after the answer has been sent. */
  inquire?: Inquiry;
}

/** Completes what is known of a refusal. */
export type Inquiry = () => CallRefusal;

/** A refusal that says which check it comes from, and all that whoever asks for its reason may be shown. */
export class Refusal extends ApiError {
  readonly refusal: CallRefusal;
  readonly inquire: Inquiry | undefined;

  constructor(stated: Stated<ApiErrorCode>, refusal: CallRefusal, { inquire, ...options }: RefusalOptions = {}) {
    super(stated, options);
    this.refusal = refusal;
    this.inquire = inquire;
  }
}

/** What is wrong with a member of the body: see {@link wrongField}. */
export interface FieldFault {
  problem: SchemaProblem;
  /** What it has to be, in English; null where that goes without saying. */
  expected?: string;
}

/**
 * The refusal of a member of the body: 400006.
 *
 * @param field its name, in a path of names joined by dots.
 */
export function wrongField(
  field: string,
  stated: Stated<ApiErrorCode>,
  { problem, expected = "" }: FieldFault,
): Refusal {
  const pointer = `/${field.replaceAll(".", "/")}`;
  const details = { field, pointer, problem, expected: expected || null };
  return new Refusal(stated, { check: "schema", details });
}

/** What is known of a call that breaks a rule. */
export interface RuleFacts extends Pick<ApiErrorOptions, "reason"> {
  /** Of the member of the body that is wrong (RFC 6901). */
  pointer?: string;
  /** For the call's developer: nothing secret, and nothing of others. */
  facts?: Record<string, string | number | null>;
}

/** The refusal of a call that is well formed and asks for what cannot be done. */
export function brokenRule(rule: BusinessRule, { pointer, facts = {}, reason }: RuleFacts = {}): Refusal {
  const refusal = { check: "business", details: { rule, pointer: pointer ?? null, facts } } as const;
  return new Refusal(BUSINESS_RULES[rule].error, refusal, reason === undefined ? {} : { reason });
}

/** The check that an error belongs to, when the error does not name one. */
export function refusalOf(error: ApiError): CallRefusal {
  if (error instanceof Refusal) return error.refusal;
  switch (error.kind) {
    case "INVALID_REQUEST":
      return { check: "schema", details: { field: null, pointer: null, problem: "other", expected: null } };
    case "QUOTA_EXCEEDED":
      return { check: "capacity", details: null };
    case "INTERNAL":
      return { check: "internal", details: null };
    default:
      return { check: "business", details: null };
  }
}
