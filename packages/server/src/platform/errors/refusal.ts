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

/** Additional properties of a {@link Refusal}. */
export interface RefusalOptions extends ApiErrorOptions {
  /** Collects more details after the answer has been sent. */
  inquire?: Inquiry;
}

/** Completes the details of a refusal. */
export type Inquiry = () => CallRefusal;

/** An ApiError with the check that refused the call, and the details that the caller's developer may see. */
export class Refusal extends ApiError {
  readonly refusal: CallRefusal;
  inquire: Inquiry | undefined;

  constructor(stated: Stated<ApiErrorCode>, refusal: CallRefusal, { inquire, ...options }: RefusalOptions = {}) {
    super(stated, options);
    this.refusal = refusal;
    this.inquire = inquire;
  }
}

/** What is wrong with a member of the body; see {@link wrongField}. */
export interface FieldFault {
  problem: SchemaProblem;
  /** The expected value, in English; left out when it is obvious. */
  expected?: string;
}

/**
 * The refusal of a member of the body: 400006.
 *
 * @param field its path, as names joined by dots.
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

/** The details of a call that breaks a rule. */
export interface RuleFacts extends Pick<ApiErrorOptions, "reason"> {
  /** JSON pointer (RFC 6901) of the invalid member of the body. */
  pointer?: string;
  /** Shown to the call's developer: no secrets, and nothing about others. */
  facts?: Record<string, string | number | null>;
}

/** The refusal of a well-formed call that breaks a rule. */
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
