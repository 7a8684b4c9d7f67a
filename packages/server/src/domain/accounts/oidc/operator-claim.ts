import type { DirectoryDeveloper } from "@portico/protocol";
import type { DeveloperOidc } from "../../../platform/config/oidc-settings.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { lockDevelopers } from "../../directory/developer-store.ts";
import { type ClaimSet, claimHolds, claimOf } from "./claims.ts";
import type { Redeemed } from "./provider.ts";

/** What a provider has said, and whether something was left unasked. */
type Said = Pick<Redeemed, "claims" | "unasked">;

/**
 * Whether the claims make the developer an operator. Without a claim in the settings, and where the provider has left the
 * claim out for its length (OpenID Connect Core, section 5.6.2) or could not be asked for it, it stays as it is.
 */
export function operatorBy(
  { operatorClaim }: Pick<DeveloperOidc, "operatorClaim">,
  said: Said,
  isOperator: boolean,
): boolean {
  if (operatorClaim === null || !saysOperator({ operatorClaim }, said)) return isOperator;
  return claimHolds(said.claims, operatorClaim);
}

/** Whether the claims say at all who is an operator. */
export function saysOperator(
  { operatorClaim }: Pick<DeveloperOidc, "operatorClaim">,
  { claims, unasked }: Said,
): boolean {
  if (operatorClaim === null || isElsewhere(claims, operatorClaim.name)) return false;
  return unasked === null || claimOf(claims, operatorClaim.name) !== undefined;
}

function isElsewhere(claims: ClaimSet, name: string): boolean {
  const { _claim_names: names } = claims;
  if (claimOf(claims, name) !== undefined || typeof names !== "object" || names === null) return false;
  return Object.hasOwn(names, name);
}

/** Locks all enabled operators, so that of two who would stop being operators at once each sees what the other does. */
export async function lockOperators(tx: Db): Promise<void> {
  const rows = await operatorsOf(tx).select("developers.developer_id as developerId").execute();
  await lockDevelopers(
    tx,
    rows.map(({ developerId }) => developerId),
  );
}

/**
 * Whether no operator could sign in if this one were none. Whoever has a password can be replaced only by somebody who has
 * one too: an account of the provider alone may be one that the provider lets in no longer.
 */
export async function isLastOperator(tx: Db, { developerId }: DirectoryDeveloper, issuer: string): Promise<boolean> {
  const rows = await operatorsOf(tx)
    .leftJoin("developer_identities", (join) =>
      join
        .onRef("developer_identities.developer_id", "=", "developers.developer_id")
        .on("developer_identities.issuer", "=", issuer),
    )
    .select((eb) => [
      "developers.developer_id as developerId",
      eb("password_hash", "is not", null).as("hasPassword"),
      eb("developer_identities.subject", "is not", null).as("hasIdentity"),
    ])
    .execute();
  const hasPassword = rows.some((row) => row.developerId === developerId && Boolean(row.hasPassword));
  return !rows.some(
    (row) =>
      row.developerId !== developerId && (Boolean(row.hasPassword) || (!hasPassword && Boolean(row.hasIdentity))),
  );
}

function operatorsOf(tx: Db) {
  return tx.selectFrom("developers").where("operator", "=", 1).where("disabled", "=", 0);
}
