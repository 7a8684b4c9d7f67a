import { type Filter, fits } from "./filter.ts";
import { isObject, memberOf, type Operation } from "./patch.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

/** An e-mail address, as a directory says it. It is kept and shown, and nothing else. */
export interface Email {
  value: string;
  type?: string;
  display?: string;
  primary?: boolean;
}

const MAX_EMAILS = 50;
/** In characters. */
const MAX_LENGTH = { value: 320, type: 64, display: 320 } as const;

/** The addresses of a list. Directories send entries for what is empty with them, too. @throws ScimError 400 */
export function emailsIn(list: unknown): readonly Email[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw invalidValue("emails is a list");
  return checked(list.flatMap(emailsOf));
}

/** What an operation makes of the addresses. @throws ScimError 400 */
export function changedEmails(
  emails: readonly Email[],
  { op, attribute, selector, value }: Operation,
): readonly Email[] {
  const [, name = null] = attribute.split(".");
  if (name === null && selector === null) return changedList(emails, op, value);
  const isMeant = (email: Email) => selector === null || fits(selector, { ...email });
  if (op === "remove") {
    if (name === null || name === "value") return emails.filter((email) => !isMeant(email));
    return emails.map((email) => (isMeant(email) ? without(email, name) : email));
  }
  const said = name === null ? value : { [name]: value };
  if (!isObject(said)) throw invalidValue("an e-mail address is an object");
  const isFirst = booleanOf(memberOf(said, "primary")) === true;
  const others = (email: Email) => (isFirst ? without(email, "primary") : email);
  if (emails.some(isMeant)) {
    return checked(
      emails.flatMap((email) => (isMeant(email) ? emailsOf({ ...email, ...inLowerCase(said) }) : [others(email)])),
    );
  }
  const added = emailsOf({ ...meantBy(selector), ...inLowerCase(said) });
  if (added.length === 0) throw new ScimError(400, "noTarget", "no e-mail address is so");
  return checked([...emails.map(others), ...added]);
}

function changedList(emails: readonly Email[], op: Operation["op"], value: unknown): readonly Email[] {
  if (op === "remove") {
    if (value === undefined || value === null) return [];
    const gone = emailsIn(Array.isArray(value) ? value : [value]);
    return emails.filter((email) => !gone.some((each) => each.value === email.value));
  }
  const said = emailsIn(Array.isArray(value) || value === null ? value : [value]);
  if (op === "replace") return said;
  const others = emails.filter((email) => !said.some((each) => each.value === email.value));
  const isPrimarySaid = said.some(({ primary }) => primary);
  return checked([...others.map((email) => (isPrimarySaid ? without(email, "primary") : email)), ...said]);
}

/** None where the address is empty. */
function emailsOf(said: unknown): Email[] {
  if (!isObject(said)) throw invalidValue("emails are objects");
  const value = textIn(said, "value");
  const type = textIn(said, "type");
  const display = textIn(said, "display");
  const primary = booleanOf(memberOf(said, "primary"));
  if (value === null) return [];
  return [
    {
      value,
      ...(type !== null && { type }),
      ...(display !== null && { display }),
      ...(primary !== null && { primary }),
    },
  ];
}

function checked(emails: readonly Email[]): readonly Email[] {
  if (emails.length > MAX_EMAILS) throw new ScimError(400, "tooMany", `at most ${MAX_EMAILS} e-mail addresses`);
  if (emails.filter(({ primary }) => primary).length > 1) throw invalidValue("one e-mail address is primary");
  return emails;
}

function without(email: Email, name: string): Email {
  return { value: email.value, ...Object.fromEntries(Object.entries(email).filter(([key]) => key !== name)) };
}

function inLowerCase(said: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What an address has that a filter selects, where it says that in one way. */
function meantBy(selector: Filter | null): Record<string, unknown> {
  const [terms = [], ...others] = selector ?? [];
  if (others.length > 0) return {};
  return Object.fromEntries(terms.map(({ attribute, value }) => [attribute, value]));
}

function textIn(said: unknown, name: keyof typeof MAX_LENGTH): string | null {
  const text = memberOf(said, name);
  if (text === undefined || text === null || text === "") return null;
  if (typeof text === "string" && text.length <= MAX_LENGTH[name] && !/[\p{Cc}\p{Surrogate}]/u.test(text)) return text;
  throw invalidValue(`the ${name} of an e-mail address is a text of at most ${MAX_LENGTH[name]} characters`);
}

function booleanOf(value: unknown): boolean | null {
  if (value === undefined || value === null || value === "") return null;
  const text = String(value).toLowerCase();
  if ((typeof value === "boolean" || typeof value === "string") && (text === "true" || text === "false"))
    return text === "true";
  throw invalidValue("primary is true or false");
}
