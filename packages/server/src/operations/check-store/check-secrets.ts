import { SEALED } from "../../domain/master-key/renewable.ts";
import { faultOf, readKeyState, sealingOf } from "../../platform/crypto/key-state.ts";
import type { SealedRows } from "../../platform/crypto/sealed-rows.ts";
import { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Findings } from "./findings.ts";

const AT_ONCE = 1_000;

/** Whether the configured master keys are the database's, and open every secret in it. */
export async function checkSecrets(db: Db, masterKeys: readonly Buffer[], findings: Findings): Promise<void> {
  const state = await readKeyState(db);
  if (state.check === null) return;
  const missing = "it is missing, and the secrets in the database need it";
  const fault = masterKeys.length === 0 ? missing : faultOf(state, masterKeys);
  if (fault !== null) return findings.add("key", "master key", fault);
  const secretBox = new SecretBox(masterKeys, sealingOf(state, masterKeys) ?? undefined);
  for (const rows of SEALED) await checkRows(db, rows, secretBox, findings);
}

async function checkRows(db: Db, rows: SealedRows, secretBox: SecretBox, findings: Findings): Promise<void> {
  for (let after: readonly string[] | null = null; ; ) {
    const found = await rows.list(db, after, AT_ONCE);
    for (const { key, stored } of found) {
      try {
        secretBox.open(stored, rows.ownerOf(key));
      } catch {
        findings.add("key", `${rows.name} ${rows.shown(key)}`, "the secret opens with none of the master keys");
      }
    }
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}
