import { CreateMemberBodySchema, UpdateMemberBodySchema } from "@portico/protocol/schemas";
import { Compile } from "typebox/compile";
import { usernameOf } from "../directory/directory-names.ts";
import { changedEmails, type Email, emailsIn } from "./emails.ts";
import { fits } from "./filter.ts";
import { checkBody, metaOf, type Times } from "./meta.ts";
import { isObject, memberOf, type Operation } from "./patch.ts";
import { type PersonName, wholeName } from "./person-name.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";

/** A member as a directory sees them. */
export interface ScimUser extends PersonName, Times {
  userId: string;
  userName: string;
  /** What the person is called everywhere. */
  displayName: string;
  emails: readonly Email[];
  phone: string | null;
  externalId: string | null;
  active: boolean;
}

/** What a call says of a user; what is missing does not change. The display name follows from the names. */
export type UserChange = Partial<Omit<ScimUser, "userId" | "displayName" | keyof Times>> & { password?: string };

const CHECKS = {
  displayName: Compile(UpdateMemberBodySchema.properties.name),
  phone: Compile(CreateMemberBodySchema.properties.phone),
  password: Compile(CreateMemberBodySchema.properties.password),
};
const MAX_EXTERNAL_ID = 256;

/**
 * A user as answers show it.
 *
 * @param groups null: they are left out.
 * @param base the address of the tenant's resources.
 */
export function userResource(
  user: ScimUser,
  groups: readonly { groupId: string; displayName: string }[] | null,
  base: string,
): object {
  const { userId, userName, displayName, givenName, familyName, emails, phone, externalId, active } = user;
  const name = {
    formatted: wholeName(user) ?? displayName,
    ...(givenName !== null && { givenName }),
    ...(familyName !== null && { familyName }),
  };
  return {
    schemas: [USER_SCHEMA],
    id: userId,
    ...(externalId !== null && { externalId }),
    userName,
    name,
    displayName,
    active,
    ...(emails.length > 0 && { emails }),
    ...(phone !== null && { phoneNumbers: [{ type: "mobile", value: phone }] }),
    ...(groups !== null && {
      groups: groups.map(({ groupId, displayName: display }) => ({
        value: groupId,
        $ref: `${base}/Groups/${encodeURIComponent(groupId)}`,
        display,
        type: "direct",
      })),
    }),
    meta: metaOf("User", `${base}/Users/${encodeURIComponent(userId)}`, user),
  };
}

/** A user as a POST or PUT describes it. */
export type NewUser = Required<Omit<UserChange, "active" | "password">> & Pick<UserChange, "active" | "password">;

/**
 * What the body of a POST or PUT says of a user: what it does not say has its default, but for `active`, which stays, and for
 * the password, which only changes.
 *
 * @throws ScimError 400
 */
export function userIn(body: unknown): NewUser {
  checkBody(body);
  const name = memberOf(body, "name");
  const password = memberOf(body, "password");
  const active = memberOf(body, "active");
  return {
    userName: userNameOf(memberOf(body, "username")),
    ownName: nameOf(memberOf(body, "displayname")),
    ...NO_NAME,
    ...(name !== undefined && name !== null && namesIn(name)),
    emails: emailsIn(memberOf(body, "emails")),
    phone: phoneIn(memberOf(body, "phonenumbers") ?? []),
    externalId: externalIdOf(memberOf(body, "externalid")),
    ...(active !== undefined && active !== null && { active: activeOf(active) }),
    ...(password !== undefined && password !== null && { password: passwordOf(password) }),
  };
}

/**
 * What an operation changes of a user; nothing where its attribute is none of those that are kept.
 *
 * @throws ScimError 400
 */
export function userChangeOf(operation: Operation, user: ScimUser): UserChange {
  const { op, attribute, selector, value } = operation;
  const isRemoval = op === "remove";
  switch (attribute) {
    case "username":
      return { userName: userNameOf(isRemoval ? undefined : value) };
    case "displayname":
      return { ownName: isRemoval ? null : nameOf(value) };
    case "name.formatted":
    case "name.givenname":
    case "name.familyname":
      return namesIn({ [attribute.slice("name.".length)]: isRemoval ? null : value });
    case "name":
      return isRemoval || value === null ? NO_NAME : namesIn(value);
    case "emails":
    case "emails.value":
    case "emails.type":
    case "emails.display":
    case "emails.primary":
      return { emails: changedEmails(user.emails, operation) };
    case "externalid":
      return { externalId: isRemoval ? null : externalIdOf(value) };
    case "active":
      return { active: isRemoval ? true : activeOf(value) };
    case "password":
      return isRemoval ? {} : { password: passwordOf(value) };
    case "phonenumbers":
      return selector === null ? phonesChange(op, value) : phoneChange(op, selector, memberOf(value, "value"));
    case "phonenumbers.value":
      return phoneChange(op, selector, value);
    case "id":
      if (!isRemoval && value === user.userId) return {};
      throw new ScimError(400, "mutability", "an id does not change");
    default:
      return {};
  }
}

function phonesChange(op: Operation["op"], value: unknown): UserChange {
  if (op === "remove") return { phone: null };
  const phone = phoneIn(value);
  // Adding other numbers takes none away.
  return op === "add" && phone === null ? {} : { phone };
}

function phoneChange(op: Operation["op"], selector: Operation["selector"], value: unknown): UserChange {
  if (selector === null || !fits(selector, { type: "mobile" })) return {};
  return { phone: op === "remove" || value === null || value === "" ? null : phoneOf(value) };
}

/** The number of type mobile; null when there is none. */
function phoneIn(numbers: unknown): string | null {
  if (!Array.isArray(numbers)) throw invalidValue("phoneNumbers is a list");
  const mobile = numbers.find((each) => {
    const type = memberOf(each, "type") ?? "";
    if (!isObject(each) || typeof type !== "string") throw invalidValue("phoneNumbers are objects with a text as type");
    return type.toLowerCase() === "mobile";
  });
  const value = memberOf(mobile, "value");
  return value === undefined || value === null || value === "" ? null : phoneOf(value);
}

function phoneOf(value: unknown): string {
  // Directories write numbers for people: (+86) 139 0000 0001.
  const phone = typeof value === "string" ? value.replaceAll(/[\s().]/g, "") : value;
  if (typeof phone === "string" && CHECKS.phone.Check(phone)) return phone;
  throw invalidValue("a phone number has 3 to 32 digits, maybe with + and hyphens");
}

function userNameOf(value: unknown): string {
  if (typeof value === "string" && usernameOf(value) !== null) return value;
  throw invalidValue("userName is required: at most 128 characters, one of them a letter of a to z or a digit");
}

/** Null when none is said. */
function nameOf(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (CHECKS.displayName.Check(value)) return String(value);
  throw invalidValue("a name is a text of 1 to 100 characters");
}

const NO_NAME = { formattedName: null, givenName: null, familyName: null };
const NAME_PARTS = [
  ["formatted", "formattedName"],
  ["givenname", "givenName"],
  ["familyname", "familyName"],
] as const;

/** The parts of a name that are said. */
function namesIn(said: unknown): Partial<PersonName> {
  if (!isObject(said)) throw invalidValue("name is an object");
  const names: Partial<PersonName> = {};
  for (const [name, field] of NAME_PARTS) {
    const value = memberOf(said, name);
    if (value !== undefined) names[field] = nameOf(value);
  }
  return names;
}

function externalIdOf(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "string" && value.length <= MAX_EXTERNAL_ID && !/[\0\p{Surrogate}]/u.test(value)) return value;
  throw invalidValue(`externalId is a text of at most ${MAX_EXTERNAL_ID} characters`);
}

function activeOf(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text === "true" || text === "false") return text === "true";
  throw invalidValue("active is true or false");
}

function passwordOf(value: unknown): string {
  if (typeof value === "string" && CHECKS.password.Check(value)) return value;
  throw invalidValue("a password has 8 to 1,024 characters");
}
