import { CreateMemberBodySchema, UpdateMemberBodySchema } from "@portico/protocol/schemas";
import { Compile } from "typebox/compile";
import { usernameOf } from "../directory/directory-names.ts";
import { isObject, memberOf, type Operation } from "./patch.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";

/** A member as a directory sees them. */
export interface ScimUser {
  userId: string;
  userName: string;
  displayName: string;
  phone: string | null;
  externalId: string | null;
  active: boolean;
}

/** What a call says of a user; what is missing does not change. */
export type UserChange = Partial<Omit<ScimUser, "userId">> & { password?: string };

const CHECKS = {
  displayName: Compile(UpdateMemberBodySchema.properties.name),
  phone: Compile(CreateMemberBodySchema.properties.phone),
  password: Compile(CreateMemberBodySchema.properties.password),
};
const MAX_EXTERNAL_ID = 256;

/** A user as answers show it. @param location its own address. */
export function userResource(user: ScimUser, location: string): object {
  const { userId, userName, displayName, phone, externalId, active } = user;
  return {
    schemas: [USER_SCHEMA],
    id: userId,
    ...(externalId !== null && { externalId }),
    userName,
    name: { formatted: displayName },
    displayName,
    active,
    ...(phone !== null && { phoneNumbers: [{ type: "mobile", value: phone }] }),
    meta: { resourceType: "User", location },
  };
}

/** A user as a POST or PUT describes it. */
export type NewUser = Omit<ScimUser, "userId" | "active"> & { active?: boolean; password?: string };

/**
 * What the body of a POST or PUT says of a user: what it does not say has its default, but for `active`, which stays, and for
 * the password, which only changes.
 *
 * @throws ScimError 400
 */
export function userIn(body: unknown): NewUser {
  if (!isObject(body)) throw new ScimError(400, "invalidSyntax", "the body is an object");
  const userName = userNameOf(memberOf(body, "username"));
  const displayName = nameOf(memberOf(body, "displayname")) ?? nameOf(memberOf(memberOf(body, "name"), "formatted"));
  const password = memberOf(body, "password");
  const active = memberOf(body, "active");
  return {
    userName,
    displayName: displayName ?? userName,
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
export function userChangeOf({ op, attribute, selector, value }: Operation, user: ScimUser): UserChange {
  const isRemoval = op === "remove";
  switch (attribute) {
    case "username":
      return { userName: userNameOf(isRemoval ? undefined : value) };
    case "displayname":
    case "name.formatted":
      return { displayName: (isRemoval ? undefined : nameOf(value)) ?? user.userName };
    case "name": {
      const name = nameOf(memberOf(value, "formatted"));
      return name === undefined ? {} : { displayName: name };
    }
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
  const isMobile = selector?.every(
    ({ attribute, value: wanted }) => attribute === "type" && String(wanted).toLowerCase() === "mobile",
  );
  if (!isMobile) return {};
  return { phone: op === "remove" || value === null || value === "" ? null : phoneOf(value) };
}

/** The number of type mobile; null when there is none. */
function phoneIn(numbers: unknown): string | null {
  if (!Array.isArray(numbers)) throw invalidValue("phoneNumbers is a list");
  const mobile = numbers.find((each) => String(memberOf(each, "type")).toLowerCase() === "mobile");
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

/** Undefined when none is said. */
function nameOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (CHECKS.displayName.Check(value)) return String(value);
  throw invalidValue("a display name is a text of 1 to 100 characters");
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
