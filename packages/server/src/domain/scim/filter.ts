import { foldCase } from "../directory/fold-case.ts";
import { ScimError } from "./scim-error.ts";

/** An attribute that has to be equal to a value. Names are in lower case, since those of SCIM have no case. */
export interface Equality {
  attribute: string;
  value: string | boolean | null;
}

/** Alternatives, in each of which all equalities have to hold. */
export type Filter = readonly (readonly Equality[])[];

const MAX_LENGTH = 1_024;
const MAX_TERMS = 10;
/** An attribute with its operator and its value; `and`, `or`; or a parenthesis. */
const TOKEN =
  /\s*(?:(?<attribute>[A-Za-z$][\w$.:-]*)\s+(?<operator>[A-Za-z]{2})\s+(?<value>"(?:[^"\\]|\\.)*"|true|false|null|-?\d+(?:\.\d+)?)|(?<word>and|or|not|\(|\)))(?=\s|\)|$)/iy;

/**
 * Reads a filter of `eq` terms (RFC 7644, section 3.4.2.2), joined by `and` and `or`, of which `and` binds more closely.
 *
 * @throws ScimError 400 for anything else.
 */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw invalid(`a filter has at most ${MAX_LENGTH} characters`);
  const alternatives: Equality[][] = [[]];
  let expectsTerm = true;
  let count = 0;
  const token = new RegExp(TOKEN);
  const whole = text.trimEnd();
  while (token.lastIndex < whole.length) {
    const groups = token.exec(whole)?.groups;
    if (groups === undefined) throw invalid("the filter cannot be read");
    const word = groups.word?.toLowerCase();
    if (word === undefined) {
      if (!expectsTerm || ++count > MAX_TERMS)
        throw invalid(`a filter has terms joined by and or or, at most ${MAX_TERMS}`);
      alternatives.at(-1)?.push(termOf(groups));
      expectsTerm = false;
    } else if (expectsTerm || (word !== "and" && word !== "or")) {
      throw invalid("of filters, eq terms joined by and or or are supported");
    } else {
      if (word === "or") alternatives.push([]);
      expectsTerm = true;
    }
  }
  if (expectsTerm) throw invalid("the filter ends too early");
  return alternatives;
}

function termOf({ attribute = "", operator = "", value = "" }: Record<string, string | undefined>): Equality {
  if (operator.toLowerCase() !== "eq") throw invalid(`of operators, eq is supported, not ${operator}`);
  return { attribute: attributeName(attribute), value: literalOf(value) };
}

/**
 * Refuses a filter of attributes that a resource cannot be found by: an empty list would say that there is nobody, and a
 * directory would add them anew.
 *
 * @throws ScimError 400
 */
export function requireAttributes(filter: Filter | null, known: { has(attribute: string): boolean }): void {
  const unknown = filter?.flat().find(({ attribute }) => !known.has(attribute));
  if (unknown !== undefined) throw invalid(`there is no filter by ${unknown.attribute}`);
}

/** Whether the values of a complex attribute, by names in lower case, fit; texts are compared without case. */
export function fits(filter: Filter, values: Readonly<Record<string, unknown>>): boolean {
  const key = (value: unknown) => (typeof value === "string" ? foldCase(value) : value);
  return filter.some((terms) =>
    terms.every(
      ({ attribute, value }) => key(Object.hasOwn(values, attribute) ? values[attribute] : null) === key(value),
    ),
  );
}

const SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** An attribute's name in lower case, without the schema that it belongs to. */
export function attributeName(name: string): string {
  return name.toLowerCase().replace(SCHEMA, "");
}

function literalOf(text: string): Equality["value"] {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('"') ? text : text.toLowerCase());
  } catch {
    throw invalid("a text of the filter is no JSON string");
  }
  if (typeof value === "number") return String(value);
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

function invalid(detail: string): ScimError {
  return new ScimError(400, "invalidFilter", detail);
}
