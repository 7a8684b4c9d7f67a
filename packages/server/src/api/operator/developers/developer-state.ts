import { type DirectoryDeveloper, fault } from "@portico/protocol";
import { findDeveloper } from "../../../domain/directory/developer-store.ts";
import { tenantsAmong } from "../../../domain/directory/tenant-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/** What an operator can change of a developer, password aside. */
export interface DeveloperState {
  name: string;
  operator: boolean;
  disabled: boolean;
  /** The tenants they work for, in order. */
  tenants: string[];
}

export function stateOf({ name, operator, disabled, tenants }: DirectoryDeveloper): DeveloperState {
  return { name, operator, disabled, tenants: tenants.map(({ tenantId }) => tenantId).sort() };
}

/**
 * The tenants, each once and in order.
 *
 * @throws ApiError 400 naming one that there is not.
 */
export async function checkTenants(db: Db, named: readonly string[]): Promise<string[]> {
  const known = await tenantsAmong(db, named);
  const unknown = named.find((tenantId) => !known.has(tenantId));
  if (unknown !== undefined) throw new ConsoleError(fault("DEVELOPER_TENANT_UNKNOWN", { tenantId: unknown }));
  return [...known].sort();
}

/** A developer who has just been written. */
export async function readBack(tx: Db, developerId: string): Promise<DirectoryDeveloper> {
  const developer = await findDeveloper(tx, developerId);
  if (developer === null) throw new Error("the developer who was just written is not there");
  return developer;
}
