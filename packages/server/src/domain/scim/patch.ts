import { attributeName, type Filter, parseFilter } from "./filter.ts";
import { ScimError } from "./scim-error.ts";

/** One change of a PATCH (RFC 7644, section 3.5.2), of one attribute. */
export interface Operation {
  op: "add" | "replace" | "remove";
  /** In lower case, with a sub-attribute behind a dot: `name.formatted`. */
  attribute: string;
  /** Which of several values is meant, as in `emails[type eq "work"].value`; null: none is said. */
  selector: Filter | null;
  value: unknown;
}

const MAX_OPERATIONS = 100;
const MAX_ATTRIBUTES = 100;
const PATH = /^(?<attribute>[A-Za-z$][\w$:.-]*?)(?:\[(?<filter>[^\]]*)\](?:\.(?<sub>[A-Za-z$][\w$-]*))?)?$/;
const OPS = new Set<string>(["add", "replace", "remove"]);

/**
 * The changes of a PATCH, one for each attribute. Directories write operations in any case, and some the attributes of an
 * operation without a path as paths.
 *
 * @throws ScimError 400
 */
export function operationsIn(body: unknown): Operation[] {
  const listed = memberOf(body, "operations");
  if (!Array.isArray(listed) || listed.length === 0) throw syntax("Operations is missing");
  if (listed.length > MAX_OPERATIONS) throw new ScimError(400, "tooMany", `at most ${MAX_OPERATIONS} operations`);
  return listed.flatMap(operationsOf);
}

function operationsOf(each: unknown): Operation[] {
  const said = memberOf(each, "op");
  const op = typeof said === "string" ? said.toLowerCase() : "";
  if (!isOp(op)) throw syntax("op is add, replace or remove");
  const path = memberOf(each, "path");
  const value = memberOf(each, "value");
  if (typeof path === "string" && path !== "") return [{ op, ...placeOf(path), value }];
  if (path !== undefined && path !== null && path !== "") throw new ScimError(400, "invalidPath", "path is a text");
  if (op === "remove") throw new ScimError(400, "noTarget", "a removal needs a path");
  if (!isObject(value)) throw invalidObject();
  const entries = Object.entries(value);
  if (entries.length > MAX_ATTRIBUTES) throw new ScimError(400, "tooMany", `at most ${MAX_ATTRIBUTES} attributes`);
  return entries.flatMap(([name, inner]) => (isExtension(name) ? [] : [{ op, ...placeOf(name), value: inner }]));
}

function isOp(op: string): op is Operation["op"] {
  return OPS.has(op);
}

/** The name of a schema, whose attributes are ignored. */
function isExtension(name: string): boolean {
  return name.toLowerCase().startsWith("urn:") && attributeName(name).startsWith("urn:");
}

function placeOf(path: string): Pick<Operation, "attribute" | "selector"> {
  const groups = path.length <= 1_024 ? PATH.exec(path)?.groups : undefined;
  if (groups === undefined) throw new ScimError(400, "invalidPath", "the path cannot be read");
  const { attribute = "", filter, sub } = groups;
  const name = attributeName(attribute);
  const selector = filter === undefined ? null : parseFilter(filter);
  return { attribute: sub === undefined ? name : `${name}.${sub.toLowerCase()}`, selector };
}

/** A member of an object by its name, in whatever case. */
export function memberOf(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  const found = Object.keys(value).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : value[found];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function syntax(detail: string): ScimError {
  return new ScimError(400, "invalidSyntax", detail);
}

function invalidObject(): ScimError {
  return new ScimError(400, "invalidValue", "without a path, value is an object of attributes");
}
