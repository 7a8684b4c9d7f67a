import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { DeveloperOidc } from "../../../platform/config/oidc-settings.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Writes } from "../../../platform/storage/storage.ts";
import { recordChange } from "../../audit/audit-store.ts";
import { findDeveloper, updateDeveloper } from "../../directory/developer-store.ts";
import { DEVELOPER_LOGINS } from "../developer-login-store.ts";
import { endPendingOfDeveloper } from "../pending-sign-ins.ts";
import { isLastOperator, lockOperators } from "./operator-claim.ts";

/** The most whose right ends in one round. */
const MAX_OF_ROUND = 100;

/** Says until when a developer is an operator; null: until somebody changes it. */
export async function putOperatorUntil(tx: Db, developerId: string, until: number | null): Promise<void> {
  await tx.updateTable("developers").set({ operator_until: until }).where("developer_id", "=", developerId).execute();
}

/** What it takes to end the rights that the provider has not confirmed in time. */
interface LapseParts {
  storage: Writes & { readonly db: Db };
  clock: Clock;
  log: Pick<Logger, "warn">;
}

/**
 * Ends the right of operators whom the provider has not called so for as long as its word counts, with their logins: at the next
 * sign-in the provider says anew. The last operator who can sign in stays one until somebody else can; each round asks again.
 *
 * @param passed a time that has passed by every clock: one process with a wrong clock must not end everybody's right.
 * @param told who was kept in the round before, of whom the log has told.
 * @returns who is kept now.
 */
export async function endLapsedOperators(
  ctx: LapseParts,
  settings: Pick<DeveloperOidc, "issuer" | "operatorClaim"> | null,
  passed: number,
  told: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  if (settings === null || settings.operatorClaim === null) return kept;
  const { storage, clock, log } = ctx;
  for (const developerId of await lapsedAt(storage.db, passed)) {
    const isKept = await storage.write(async (tx) => {
      await lockOperators(tx);
      // Somebody may have signed in since, or another process was faster.
      if (!(await lapsedAt(tx, passed)).includes(developerId)) return false;
      const developer = await findDeveloper(tx, developerId);
      if (developer === null) return false;
      if (!developer.disabled && (await isLastOperator(tx, developer, settings.issuer))) return true;
      await putOperatorUntil(tx, developerId, null);
      await updateDeveloper(tx, { ...developer, operator: false });
      await endPendingOfDeveloper(tx, developerId);
      await DEVELOPER_LOGINS.endAll(tx, developerId);
      const change = {
        action: "developer.update",
        target: `developer:${developerId}`,
        before: { operator: true },
        after: { operator: false },
      };
      await recordChange(tx, { type: "SYSTEM", id: "oidc", address: "" }, change, clock.now());
      return false;
    });
    if (!isKept) continue;
    kept.add(developerId);
    if (told.has(developerId)) continue;
    log.warn(
      { developerId, claim: settings.operatorClaim.name },
      "the provider has not said for too long that this developer is an operator: they stay one, because no other operator could sign in",
    );
  }
  return kept;
}

/** The operators, disabled or not, whose right has ended at `time`. */
async function lapsedAt(db: Db, time: number): Promise<string[]> {
  const rows = await db
    .selectFrom("developers")
    .select("developer_id as developerId")
    .where("operator_until", "<=", time)
    .orderBy("operator_until")
    .limit(MAX_OF_ROUND)
    .execute();
  return rows.map(({ developerId }) => developerId);
}
