import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { PasswordHasher } from "../../accounts/passwords.ts";
import { keyOf } from "../entities.ts";
import type { ProvisioningFile } from "../schema.ts";

/** What was computed about a password before the transaction; inside it, only its own queries may be awaited. */
export interface PreparedPassword {
  /** The stored hash, if the password matches it. */
  isOf?: string;
  /** A new hash of the password. */
  hash?: string;
}

/** By entity. */
export type PreparedPasswords = Map<string, PreparedPassword>;

/** A person whose password must be hashed. */
interface MissingPassword {
  entity: string;
  password: string;
}

/** Thrown when passwords must be hashed before the transaction can run. */
export class PasswordsMissing extends Error {
  override readonly name = "PasswordsMissing";
  readonly missing: readonly MissingPassword[];

  constructor(missing: readonly MissingPassword[]) {
    super("passwords have to be hashed first");
    this.missing = missing;
  }
}

/** The members and developers of a file with their passwords; an empty password counts as none. */
export function passwordsOf({ members = [], developers = [] }: ProvisioningFile) {
  return [
    ...members.map((member) => ({ entity: keyOf.member(member.userId), password: member.password || undefined })),
    ...developers.map((developer) => ({
      entity: keyOf.developer(developer),
      password: developer.password || undefined,
    })),
  ];
}

/** Checks which passwords match their accounts' hashes, and hashes the others. */
export async function preparePasswords(
  { storage, passwords }: { storage: Storage; passwords: PasswordHasher },
  missing: readonly MissingPassword[],
  prepared: PreparedPasswords,
): Promise<void> {
  await Promise.all(
    missing.map(async ({ entity, password }) => {
      const current = await findHash(storage.db, entity);
      const isCurrent = current !== null && (await passwords.matches(password, current));
      prepared.set(entity, isCurrent ? { isOf: current } : { hash: await passwords.hash(password) });
    }),
  );
}

async function findHash(db: Db, entity: string): Promise<string | null> {
  // Ids and phone numbers contain no colon.
  const [kind, first = "", second = ""] = entity.split(":");
  const row =
    kind === "member"
      ? await db.selectFrom("members").select("password_hash").where("user_id", "=", first).executeTakeFirst()
      : await db
          .selectFrom("developers")
          .select("password_hash")
          .where("channel_id", "=", Number(first))
          .where("phone", "=", second)
          .executeTakeFirst();
  return row?.password_hash ?? null;
}
