import { type DirectoryDeveloper, fault } from "@portico/protocol";
import { findDeveloper } from "../../../domain/directory/developer-store.ts";
import { tenantsAmong } from "../../../domain/directory/tenant-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/** The fields of a developer that an operator can change, without the password. */
export interface DeveloperState {
  name: string;
  operator: boolean;
  disabled: boolean;
  /** The developer's tenants, in order. */
  tenants: string[];
}

export function stateOf({ name, operator, disabled, tenants }: DirectoryDeveloper): DeveloperState {
  return { name, operator, disabled, tenants: tenants.map(({ tenantId }) => tenantId).sort() };
}

/**
 * The tenants, deduplicated and sorted.
 *
 * @throws ApiError 400 naming one that does not exist.
 */
export async function checkTenants(db: Db, named: readonly string[]): Promise<string[]> {
  const known = await tenantsAmong(db, named);
  const unknown = named.find((tenantId) => !known.has(tenantId));
  if (unknown !== undefined) throw new ConsoleError(fault("DEVELOPER_TENANT_UNKNOWN", { tenantId: unknown }));
  return [...known].sort();
}

/** Reads a developer who has just been written. */
export async function readBack(tx: Db, developerId: string): Promise<DirectoryDeveloper> {
  const developer = await findDeveloper(tx, developerId);
  if (developer === null) throw new Error("the developer who was just written is not there");
  return developer;
}

/**
 * Checks, under the caller's row lock, that the caller is still an operator. So concurrent changes always leave at
 * least one operator.
 *
 * @throws ApiError 403 when the caller is no operator any more.
 */
export async function checkStillOperator(tx: Db, developerId: string): Promise<void> {
  const actor = await findDeveloper(tx, developerId);
  if (!actor?.operator || actor.disabled) throw new ConsoleError("NOT_OPERATOR");
}
