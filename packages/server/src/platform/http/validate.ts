import { type ApiErrorCode, fault, type SchemaProblem, type Stated } from "@portico/protocol";
import type { Static, TObject, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { Refusal } from "../errors/refusal.ts";

/**
 * Compiles `schema` into a parser that returns the typed value. The parser throws ApiError 400006, which names the
 * first invalid field.
 */
export function bodyParser<Schema extends TSchema>(schema: Schema): (value: unknown) => Static<Schema> {
  return parser(schema, {
    missing: (field) => (field === null ? "BODY_MISSING" : fault("FIELD_MISSING", { field })),
    inBody: true,
  });
}

/** The error of a missing member, or of a missing body. */
type Missing = (field: string | null) => Stated<ApiErrorCode>;

function parser<Schema extends TSchema>(
  schema: Schema,
  { missing, inBody }: { missing: Missing; inBody: boolean },
): (value: unknown) => Static<Schema> {
  let compiled: Validator | undefined;
  return (value) => {
    // By the first call: compiling all schemas would take a twentieth of the start.
    compiled ??= Compile(schema);
    const validator = compiled;
    if (validator.Check(value)) return value as Static<Schema>;
    const [first] = validator.Errors(value);
    const isMissing = first !== undefined && (first.keyword === "required" || isNull(value, first.instancePath));
    const details = {
      field: first ? fieldOf(first) : null,
      pointer: first && inBody ? pointerOf(first) : null,
      ...(isMissing || first === undefined ? { problem: "missing" as const, expected: null } : faultOf(first)),
    };
    const stated = isMissing ? missing(details.field) : first ? describe(first) : "INVALID_REQUEST";
    throw new Refusal(stated, { check: "schema", details });
  };
}

/** Whether an error concerns a null member, or a null body. */
function isNull(value: unknown, path: string): boolean {
  if (path === "" || typeof value !== "object" || value === null) return value === null;
  return Object.getOwnPropertyDescriptor(value, path.slice(1))?.value === null;
}

/**
 * Like {@link bodyParser}, for a query: decimal digits become a number where the schema requires one, an empty value
 * counts as missing, and a parameter is given once. Unknown parameters are ignored, however often they are given.
 */
export function queryParser<Schema extends TObject>(schema: Schema): (query: unknown) => Static<Schema> {
  const missing: Missing = (field) => fault("PARAMETER_MISSING", { name: field ?? WHOLE });
  const parse = parser(schema, { missing, inBody: false });
  const names = Object.keys(schema.properties);
  const integers = new Set(names.filter((name) => isInteger(schema.properties[name])));
  return (query) => {
    for (const name of names) checkGivenOnce(query, name);
    const given = Object.entries(query ?? {}).filter(([, value]) => value !== "");
    const converted = given.map(([name, value]) => [name, integers.has(name) ? toInteger(value) : value]);
    return parse(Object.fromEntries(converted));
  };
}

/**
 * Checks that a query does not have a parameter twice, of which two readers could take different ones.
 *
 * @throws ApiError 400006.
 */
export function checkGivenOnce(query: unknown, name: string): void {
  if (!Array.isArray(Object(query)[name])) return;
  const details = { field: name, pointer: null, problem: "repeated", expected: "given once" } as const;
  throw new Refusal(fault("PARAMETER_REPEATED", { name }), { check: "schema", details });
}

function isInteger(schema: TSchema | undefined): boolean {
  return schema !== undefined && "type" in schema && schema.type === "integer";
}

/** A text that is not an integer is unchanged, so that the schema refuses it. */
function toInteger(value: unknown): unknown {
  return typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}

/** The name in messages for the body as a whole. */
const WHOLE = "请求体";

/** The path of names of the invalid member; null for the body as a whole. */
function fieldOf(error: TLocalizedValidationError): string | null {
  const parent = error.instancePath.slice(1).replaceAll("/", ".");
  if (error.keyword !== "required") return parent === "" ? null : parent;
  const [missing = ""] = error.params.requiredProperties;
  return parent === "" ? missing : `${parent}.${missing}`;
}

/** The JSON pointer of the invalid member, or of the place of a missing one. */
function pointerOf(error: TLocalizedValidationError): string {
  if (error.keyword !== "required") return error.instancePath;
  const [missing = ""] = error.params.requiredProperties;
  return `${error.instancePath}/${missing}`;
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

/** The problem and the expected value, in English. */
function faultOf(error: TLocalizedValidationError): { problem: SchemaProblem; expected: string | null } {
  switch (error.keyword) {
    case "enum":
      return { problem: "value", expected: `one of ${error.params.allowedValues.join(", ")}` };
    case "type":
      return { problem: "type", expected: `of type ${error.params.type}` };
    case "minLength":
      return { problem: "length", expected: `at least ${characters(error.params.limit)} long` };
    case "maxLength":
      return { problem: "length", expected: `at most ${characters(error.params.limit)} long` };
    case "minimum":
      return { problem: "range", expected: `at least ${error.params.limit}` };
    case "maximum":
      return { problem: "range", expected: `at most ${error.params.limit}` };
    case "pattern":
      return { problem: "characters", expected: null };
    default:
      return { problem: "other", expected: null };
  }
}

function describe(error: TLocalizedValidationError): Stated<ApiErrorCode> {
  const named = fieldOf(error);
  const field = named ?? WHOLE;
  switch (error.keyword) {
    case "enum":
      return fault("FIELD_VALUE_UNKNOWN", { field, values: error.params.allowedValues.join(", ") });
    case "type":
      return typeWrong(named, `${error.params.type}`);
    case "minLength":
      return error.params.limit === 1
        ? fault("FIELD_MISSING", { field })
        : fault("FIELD_TOO_SHORT", { field, min: error.params.limit });
    case "maxLength":
      return fault("FIELD_TOO_LONG", { field, max: error.params.limit });
    case "minimum":
      return fault("FIELD_TOO_SMALL", { field, min: `${error.params.limit}` });
    case "maximum":
      return fault("FIELD_TOO_BIG", { field, max: `${error.params.limit}` });
    case "pattern":
      return fault("FIELD_CHARACTERS_WRONG", { field });
    default:
      return named === null
        ? fault("BODY_INVALID", { problem: error.message })
        : fault("FIELD_INVALID", { field, problem: error.message });
  }
}

function typeWrong(field: string | null, type: string): Stated<ApiErrorCode> {
  return field === null ? fault("BODY_TYPE_WRONG", { type }) : fault("FIELD_TYPE_WRONG", { field, type });
}
