import { listOrigins, normalOrigin, setOrigins } from "../../applications/origin-store.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppPlace } from "./app-place.ts";
import { hasListChanged, listChangesOf } from "./lists.ts";

/** Applies the origins that may embed an application's widget. */
export async function provisionOrigins(place: AppPlace): Promise<void> {
  const { run, applied, app, appId, path } = place;
  if (app.profile?.allowedOrigins === undefined) return;
  const where = `${path}.profile.allowedOrigins`;
  const given = new Set(app.profile.allowedOrigins.map((text, index) => originOf(text, `${where}[${index}]`)));
  if (!hasListChanged(applied, "allowedOrigins", given)) {
    run.report.unchanged += given.size;
    return;
  }
  if ((await place.lock()).type !== "CUSTOMER_SERVICE") {
    throw new ProvisioningError(where, "is only for apps of type CUSTOMER_SERVICE");
  }
  const before = await listOrigins(run.tx, appId);
  const { added, removed } = await listChangesOf(run, applied, {
    name: "allowedOrigins",
    given,
    present: async () => before,
  });
  if (added.length === 0 && removed.length === 0) return;
  const after = [...before.filter((origin) => !removed.includes(origin)), ...added].sort();
  await setOrigins(run.tx, appId, after);
  await place.audit({
    action: "app.update",
    target: `app:${appId}`,
    before: { allowedOrigins: before },
    after: { allowedOrigins: after },
  });
}

/** @throws ProvisioningError when the text is not an origin. */
function originOf(text: string, path: string): string {
  const origin = normalOrigin(text);
  if (origin === null) throw new ProvisioningError(path, `must be an origin like https://example.com`);
  return origin;
}
