import { isObject, memberOf } from "./patch.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

/** When something was made and last changed, in epoch milliseconds; null where it was not noted. */
export interface Times {
  addedAt: number | null;
  editedAt: number | null;
}

/** What is said of a resource itself (RFC 7643, section 3.1). */
export function metaOf(resourceType: "User" | "Group", location: string, { addedAt, editedAt }: Times): object {
  const created = addedAt ?? editedAt;
  const lastModified = editedAt ?? addedAt;
  return {
    resourceType,
    ...(created !== null && { created: new Date(created).toISOString() }),
    ...(lastModified !== null && { lastModified: new Date(lastModified).toISOString() }),
    location,
  };
}

/** @throws ScimError 400 when the body of a POST or PUT is no resource. */
export function checkBody(body: unknown): void {
  if (!isObject(body)) throw new ScimError(400, "invalidSyntax", "the body is an object");
  const schemas = memberOf(body, "schemas");
  if (schemas === undefined || schemas === null) return;
  if (!Array.isArray(schemas) || !schemas.every((schema) => typeof schema === "string"))
    throw invalidValue("schemas is a list of texts");
}
