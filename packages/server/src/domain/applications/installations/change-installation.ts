import type { Installation } from "@portico/protocol";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Change } from "../../audit/audit-store.ts";
import { findInstallation } from "./installation-list.ts";
import { type InstallationPlace, install, uninstall } from "./installation-store.ts";

/** On whose behalf an installation changes: the tenant, and the function that writes the audit log. */
interface Author {
  tenantId: string;
  audit(tx: Db, change: Change): Promise<void>;
}

/** Installs an application. If it is installed already, nothing changes and nothing is written to the audit log. */
export async function makeInstallation(
  tx: Db,
  place: InstallationPlace,
  { tenantId, audit }: Author,
  now: number,
): Promise<Installation> {
  const before = await install(tx, place, now);
  if (before !== "ACTIVE") {
    await audit(tx, {
      action: "installation.create",
      target: targetOf(place),
      appId: place.appId,
      tenantId,
      before: before && { status: before },
      after: { status: "ACTIVE" },
    });
  }
  const installation = await findInstallation(tx, place);
  if (installation === null) throw new Error("what was just installed is not there");
  return installation;
}

/**
 * Ends an installation. If it has ended already, nothing changes and nothing is written to the audit log.
 *
 * @returns null when there never was an installation.
 */
export async function endInstallation(
  tx: Db,
  place: InstallationPlace,
  { tenantId, audit }: Author,
): Promise<Installation | null> {
  if (await uninstall(tx, place)) {
    await audit(tx, {
      action: "installation.delete",
      target: targetOf(place),
      appId: place.appId,
      tenantId,
      before: { status: "ACTIVE" },
      after: { status: "UNINSTALLED" },
    });
  }
  return await findInstallation(tx, place);
}

function targetOf({ targetType, targetId }: InstallationPlace): string {
  return `installation:${targetType}:${targetId}`;
}
