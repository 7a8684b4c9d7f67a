import {
  CHECK,
  isResealed,
  KEY_STATE_NAMES,
  type KeyState,
  keyStateOf,
  ROTATION,
  type Rotation,
} from "../../platform/crypto/key-state.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** What the database says of its keys; nobody changes it until the transaction ends. */
export async function lockKeyState(tx: Db): Promise<KeyState> {
  await tx
    .updateTable("meta")
    .set((eb) => ({ value: eb.ref("value") }))
    .where("name", "=", CHECK)
    .execute();
  return keyStateOf(await tx.selectFrom("meta").selectAll().where("name", "in", KEY_STATE_NAMES).execute());
}

/** Records that the key of `next` seals from now on. */
export async function beginRotation(
  tx: Db,
  state: KeyState,
  { sealing, next, now }: { sealing: SecretBox; next: SecretBox; now: number },
): Promise<Rotation> {
  const earlier = isResealed(state) ? [] : (state.rotation?.from ?? []);
  const left = { keyId: sealing.sealingKeyId, check: state.check ?? "" };
  const rotation: Rotation = {
    // A key that is come back to is none that is left.
    from: [...earlier, left].filter(({ keyId }) => keyId !== next.sealingKeyId),
    to: next.sealingKeyId,
    beganAt: now,
    resealedAt: null,
    settlesAt: null,
    doneAt: null,
    unreadable: 0,
  };
  await tx
    .updateTable("meta")
    .set({ value: next.seal(CHECK, CHECK) })
    .where("name", "=", CHECK)
    .execute();
  await putRotation(tx, rotation);
  return rotation;
}

export async function putRotation(tx: Db, rotation: Rotation): Promise<void> {
  const value = JSON.stringify(rotation);
  await tx
    .insertInto("meta")
    .values({ name: ROTATION, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
