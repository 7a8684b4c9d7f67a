/** What a 400 or 409 is about (RFC 7644, section 3.12). */
export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue";

/** A call of SCIM that is refused. The detail is for the administrator of the directory. */
export class ScimError extends Error {
  override readonly name = "ScimError";
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, scimType: ScimType | null, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export function notFound(what: string): ScimError {
  return new ScimError(404, null, `${what} not found`);
}

export function invalidValue(detail: string): ScimError {
  return new ScimError(400, "invalidValue", detail);
}
