import { CreateMemberBodySchema, UpdateMemberBodySchema } from "@portico/protocol/schemas";
import { Compile } from "typebox/compile";
import type { OidcSettings } from "../../../platform/config/oidc-settings.ts";
import { isDirectoryName, isOwnUsername } from "../../directory/directory-names.ts";

/** What a provider says of a person. */
export type ClaimSet = Readonly<Record<string, unknown>>;

/** A person as the provider names them; null: it does not say, or nothing that can be kept. */
export interface NamedPerson {
  issuer: string;
  /** Never given to another person of the issuer (OpenID Connect Core, section 2). */
  subject: string;
  username: string | null;
  /** What the claim of the user name says, also where members cannot have it. */
  claimedName: string | null;
  name: string | null;
  phone: string | null;
}

/** The longest `sub` (OpenID Connect Core, section 2), in characters. */
const MAX_SUBJECT_LENGTH = 255;
const MAX_NAME_LENGTH = 100;

const isName = Compile(UpdateMemberBodySchema.properties.name);
const isPhone = Compile(CreateMemberBodySchema.properties.phone);

/** The claim of this name; with dots, also one within others, as `realm_access.roles`. */
export function claimOf(claims: ClaimSet, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part)?.value;
  }
  return value;
}

/** Whether a claim is `value`, or a list in which it is. */
export function claimHolds(claims: ClaimSet, { name, value }: { name: string; value: string }): boolean {
  const claim = claimOf(claims, name);
  return (Array.isArray(claim) ? claim : [claim]).some((each) => isScalar(each) && String(each) === value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Whether `subject` can identify somebody. */
export function isSubject(subject: unknown): subject is string {
  return (
    typeof subject === "string" && /^[^\p{Cc}\p{Surrogate}]+$/u.test(subject) && subject.length <= MAX_SUBJECT_LENGTH
  );
}

/** The person in the claims, which were checked before. */
export function personIn(
  claims: ClaimSet,
  settings: OidcSettings,
  identity: Pick<NamedPerson, "issuer" | "subject">,
): NamedPerson {
  const username = verified(claims, settings.claims.username);
  const name = textOf(claims, settings.claims.name)?.slice(0, MAX_NAME_LENGTH).toWellFormed() ?? null;
  const phone = verified(claims, settings.claims.phone);
  return {
    ...identity,
    username: username !== null && isOwnUsername(username) ? username : null,
    claimedName: username !== null && isDirectoryName(username) ? username : null,
    name: isName.Check(name) ? name : null,
    phone: phone !== null && isPhone.Check(phone) ? phone : null,
  };
}

function textOf(claims: ClaimSet, name: string): string | null {
  const claim = claimOf(claims, name);
  return typeof claim === "string" && claim.trim() !== "" ? claim.trim() : null;
}

/** The claim that says whether the provider has verified another. */
export function doubtOf(name: string): string {
  return `${name}_verified`;
}

/** The claim, unless the provider says that anybody may have entered it: `email_verified`, `phone_number_verified`. */
function verified(claims: ClaimSet, name: string): string | null {
  const doubt = claimOf(claims, doubtOf(name));
  return doubt === false || doubt === "false" ? null : textOf(claims, name);
}
