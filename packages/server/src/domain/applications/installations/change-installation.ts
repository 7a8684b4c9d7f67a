import type { Installation } from "@portico/protocol";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Change } from "../../audit/audit-store.ts";
import { findInstallation } from "./installation-list.ts";
import { type InstallationPlace, install, uninstall } from "./installation-store.ts";

/** In whose name an installation changes: the tenant it is in, and what writes it to the audit log. */
interface Author {
  tenantId: string;
  audit(tx: Db, change: Change): Promise<void>;
}

/** Installs an application for whoever may; once installed, again changes nothing and leaves no trace in the audit log. */
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
 * Ends an installation; once it has ended, again changes nothing and leaves no trace in the audit log.
 *
 * @returns null when there never was one.
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
