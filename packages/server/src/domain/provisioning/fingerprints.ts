import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { fingerprintUnder, type SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";

/**
 * What a store that has been rotated keeps in `meta`: the keys of fingerprints, each sealed, the first one first. A
 * fingerprint cannot be sealed anew, as the text is not stored; so a rotation adds a key, and each stored fingerprint
 * becomes the fingerprint of itself under that. Who has an earlier master key can then compute none that is stored.
 */
const NAME = "provisioned-keys";
const PURPOSE = "provisioning";
const KEY_BYTES = 32;
/** How many keys made a fingerprint, where it is more than the first. */
const COUNTED = /^(\d{1,9}):(.+)$/s;
/** What is stored where there is none; see INHERITED in applied-state.ts. */
const NO_FINGERPRINT = "";

/** Fingerprints of what was applied from a provisioning file. */
export class Fingerprints {
  readonly #keys: readonly KeyObject[];

  /** @param keys at least one, the first one first. */
  constructor(keys: readonly KeyObject[]) {
    this.#keys = keys;
  }

  /** The fingerprint to store. */
  of(text: string): string {
    return this.#made(text, 0, this.#keys.length);
  }

  /** Whether a stored fingerprint, of today or from before a rotation, is that of the text. */
  isOf(stored: string, text: string): boolean {
    return this.#made(text, 0, countOf(stored)) === stored;
  }

  /** What takes the place of a stored fingerprint after a rotation. */
  renewed(stored: string): string {
    return this.#made(COUNTED.exec(stored)?.[2] ?? stored, countOf(stored), this.#keys.length);
  }

  /** The start of those that all keys made; null while there is one key only, and they have none. */
  get prefix(): string | null {
    return prefixOf(this.#keys.length);
  }

  /** Whether a stored fingerprint was made by all keys. */
  isCurrent(stored: string): boolean {
    return stored === NO_FINGERPRINT || countOf(stored) === this.#keys.length;
  }

  #made(text: string, from: number, to: number): string {
    const made = this.#keys.slice(from, to).reduce((before, key) => fingerprintUnder(key, before), text);
    return `${prefixOf(to) ?? ""}${made}`;
  }
}

function countOf(stored: string): number {
  return Number(COUNTED.exec(stored)?.[1] ?? 1);
}

function prefixOf(keys: number): string | null {
  return keys === 1 ? null : `${keys}:`;
}

/** The fingerprints of a store, as they are at this moment of the transaction. */
export async function loadFingerprints(db: Db, secretBox: SecretBox): Promise<Fingerprints> {
  const keys = await loadKeys(db, secretBox);
  return new Fingerprints(keys.map((key) => createSecretKey(key)));
}

/** Adds a key and seals all of them under the next master key, in the transaction in which that begins to seal. */
export async function addFingerprintKey(tx: Db, before: SecretBox, next: SecretBox): Promise<void> {
  const keys = [...(await loadKeys(tx, before)), randomBytes(KEY_BYTES)];
  const value = JSON.stringify(keys.map((key, index) => next.seal(key.toString("base64"), ownerOf(index))));
  await tx
    .insertInto("meta")
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** A stored fingerprint. */
export interface FingerprintRow {
  /** Entity and item. */
  key: readonly string[];
  stored: string;
}

/** The next stored fingerprints above `after`, or the first ones. */
export async function listFingerprints(
  db: Db,
  after: readonly string[] | null,
  most: number,
): Promise<FingerprintRow[]> {
  const [entity, item] = after ?? ["", ""];
  const found = await db
    .selectFrom("provisioned")
    .select(["entity", "item", "hash"])
    .where((eb) => eb(eb.refTuple("entity", "item"), ">", eb.tuple(entity ?? "", item ?? "")))
    .orderBy("entity")
    .orderBy("item")
    .limit(most)
    .execute();
  return found.map(({ entity, item, hash }) => ({ key: [entity, item], stored: hash }));
}

/** Renews fingerprints that have not changed since, except those that others have locked (see sealed-rows.ts). */
export async function renewFingerprints(
  tx: Db,
  secretBox: SecretBox,
  rows: readonly FingerprintRow[],
  dialect: Dialect,
): Promise<void> {
  const fingerprints = await loadFingerprints(tx, secretBox);
  for (const { key, stored } of rows) {
    const [entity = "", item = ""] = key;
    if (dialect === "postgres") {
      const row = tx.selectFrom("provisioned").select("hash").where("entity", "=", entity).where("item", "=", item);
      if ((await row.forUpdate().skipLocked().executeTakeFirst()) === undefined) continue;
    }
    await tx
      .updateTable("provisioned")
      .set({ hash: fingerprints.renewed(stored) })
      .where("entity", "=", entity)
      .where("item", "=", item)
      .where("hash", "=", stored)
      .execute();
  }
}

/** How many fingerprints were made by fewer keys than there are. */
export async function countOutdatedFingerprints(db: Db, secretBox: SecretBox): Promise<number> {
  const { prefix } = await loadFingerprints(db, secretBox);
  if (prefix === null) return 0;
  const { count } = await db
    .selectFrom("provisioned")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("hash", "<>", NO_FINGERPRINT)
    .where((eb) => eb(eb.fn("substr", ["hash", eb.lit(1), eb.val(prefix.length)]), "<>", prefix))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function loadKeys(db: Db, secretBox: SecretBox): Promise<Buffer[]> {
  const row = await db.selectFrom("meta").select("value").where("name", "=", NAME).executeTakeFirst();
  if (row === undefined) return [secretBox.fingerprintKey(PURPOSE)];
  const boxes: string[] = JSON.parse(row.value);
  return boxes.map((box, index) => Buffer.from(secretBox.open(box, ownerOf(index)), "base64"));
}

function ownerOf(index: number): string {
  return `provisioned key ${index}`;
}
