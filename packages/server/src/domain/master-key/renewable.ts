import type { SealedRow, SealedRows } from "../../platform/crypto/sealed-rows.ts";
import { boxPrefix, type SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { SEALED_FACTORS } from "../accounts/second-factor/factor-store.ts";
import { SEALED_CREDENTIALS } from "../applications/credential-store.ts";
import {
  countOutdatedFingerprints,
  type FingerprintRow,
  listFingerprints,
  loadFingerprints,
  renewFingerprints,
} from "../provisioning/fingerprints.ts";
import { SEALED_SUBSCRIPTIONS } from "../webhooks/subscription-store.ts";

/** Rows that are read at a time. */
const WINDOW = 500;

/** All stored secrets that are sealed under the master key. */
export const SEALED: readonly SealedRows[] = [SEALED_CREDENTIALS, SEALED_SUBSCRIPTIONS, SEALED_FACTORS];

/** The key of a row, and what it stores. */
type Row = SealedRow | FingerprintRow;

/** Stored values of one kind that hang on the master key, and how they pass from earlier keys to the one that seals. */
export interface Renewable {
  name: string;
  /** The next rows above `after`. */
  look(db: Db, after: readonly string[] | null): Promise<Seen>;
  /** Renews rows that have not changed and are not locked; a box that no key opens stays as it is, and is counted. */
  renew(tx: Db, rows: readonly Row[]): Promise<{ unreadable: number }>;
  /** How many still hang on earlier keys. */
  countLeft(db: Db): Promise<number>;
}

/** Rows that have been looked at. */
export interface Seen {
  /** The last one; null when there are none. */
  after: readonly string[] | null;
  /** Those that hang on earlier keys. */
  behind: readonly Row[];
}

/** All stored values that hang on the master key. */
export function renewables(secretBox: SecretBox, dialect: Dialect): readonly Renewable[] {
  return [...SEALED.map((rows) => boxes(rows, secretBox, dialect)), fingerprints(secretBox, dialect)];
}

function boxes(sealed: SealedRows, secretBox: SecretBox, dialect: Dialect): Renewable {
  return {
    name: sealed.name,
    look: async (db, after) => {
      const prefix = boxPrefix(secretBox.sealingKeyId);
      const rows = await sealed.list(db, after, WINDOW);
      return { after: rows.at(-1)?.key ?? null, behind: rows.filter(({ stored }) => !stored.startsWith(prefix)) };
    },
    renew: async (tx, rows) => {
      let unreadable = 0;
      for (const row of await sealed.lock(tx, rows, dialect)) {
        const owner = sealed.ownerOf(row.key);
        const secret = openOrNull(secretBox, row.stored, owner);
        if (secret === null) unreadable++;
        else await sealed.replace(tx, row, secretBox.seal(secret, owner));
      }
      return { unreadable };
    },
    countLeft: (db) => sealed.countOthers(db, secretBox.sealingKeyId),
  };
}

function fingerprints(secretBox: SecretBox, dialect: Dialect): Renewable {
  return {
    name: "fingerprints",
    look: async (db, after) => {
      const rows = await listFingerprints(db, after, WINDOW);
      const current = await loadFingerprints(db, secretBox);
      return { after: rows.at(-1)?.key ?? null, behind: rows.filter(({ stored }) => !current.isCurrent(stored)) };
    },
    renew: async (tx, rows) => {
      await renewFingerprints(tx, secretBox, rows, dialect);
      return { unreadable: 0 };
    },
    countLeft: (db) => countOutdatedFingerprints(db, secretBox),
  };
}

function openOrNull(secretBox: SecretBox, box: string, owner: string): string | null {
  try {
    return secretBox.open(box, owner);
  } catch {
    return null;
  }
}
