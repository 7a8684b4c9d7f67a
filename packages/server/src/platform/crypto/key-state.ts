import * as Type from "typebox";
import { Value } from "typebox/value";
import type { Db } from "../storage/schema.ts";
import { keyIdOf, type Sealing, SecretBox } from "./secret-box.ts";

/** The row of `meta` by which the key that seals is checked. */
export const CHECK = "master-key-check";
/** The row of `meta` with the last rotation. */
export const ROTATION = "master-key-rotation";
export const KEY_STATE_NAMES = [CHECK, ROTATION] as const;

const time = Type.Union([Type.Number(), Type.Null()]);
const RotationSchema = Type.Object({
  /** The earlier keys, each with a box by which it can be checked. */
  from: Type.Array(Type.Object({ keyId: Type.String(), check: Type.String() })),
  /** The key that seals since. */
  to: Type.String(),
  beganAt: Type.Number(),
  /** When everything was sealed anew, and no process sealed with an earlier key any more. */
  resealedAt: time,
  /** When the last of what was given out under the earlier keys, and is not stored, has expired. */
  settlesAt: time,
  doneAt: time,
  /** Boxes that none of the keys opens. */
  unreadable: Type.Integer(),
});

/** A rotation of the master key, as the database records it. Times are epoch milliseconds. */
export type Rotation = Type.Static<typeof RotationSchema>;

/** What a database says of its master keys. */
export interface KeyState {
  /** A box under the key that seals; null before the first start. */
  check: string | null;
  /** Null: there was none yet, and boxes do not name their key. */
  rotation: Rotation | null;
}

export async function readKeyState(db: Db): Promise<KeyState> {
  return keyStateOf(await db.selectFrom("meta").selectAll().where("name", "in", KEY_STATE_NAMES).execute());
}

/** The state in the rows {@link KEY_STATE_NAMES} of `meta`. */
export function keyStateOf(rows: readonly { name: string; value: string }[]): KeyState {
  const textOf = (name: string) => rows.find((row) => row.name === name)?.value;
  const rotation: unknown = JSON.parse(textOf(ROTATION) ?? "null");
  return { check: textOf(CHECK) ?? null, rotation: rotation === null ? null : Value.Parse(RotationSchema, rotation) };
}

/** Whether a rotation has sealed everything anew: the earlier keys are not needed for what is stored. */
export function isResealed({ rotation }: KeyState): boolean {
  return rotation === null || rotation.resealedAt !== null;
}

/** The keys, each once. */
export function uniqueKeys(masterKeys: readonly Buffer[]): Buffer[] {
  return masterKeys.filter((key, index) => masterKeys.findIndex((other) => other.equals(key)) === index);
}

/** Whether `box`, made of {@link CHECK}, was sealed under this key. */
function isKeyOf(box: string, masterKey: Buffer): boolean {
  try {
    new SecretBox([masterKey]).open(box, CHECK);
    return true;
  } catch {
    return false;
  }
}

/** Which of these keys seals; null when it is none of them. The first, for a database without secrets. */
export function sealingOf({ check, rotation }: KeyState, masterKeys: readonly Buffer[]): Sealing | null {
  const key = masterKeys.find((one) => check === null || isKeyOf(check, one));
  return key === undefined ? null : { keyId: keyIdOf(key), isNamed: rotation !== null };
}

/** Why these keys do not do for the database, and what to do about it; null when they do. */
export function faultOf(state: KeyState, masterKeys: readonly Buffer[]): string | null {
  const { check, rotation } = state;
  if (check === null) return null;
  if (sealingOf(state, masterKeys) === null) {
    const ids = masterKeys.map(keyIdOf);
    if (rotation === null || !rotation.from.some(({ keyId }) => ids.includes(keyId))) return OTHER_KEY;
    return (
      `the master key was rotated: the database is sealed under ${rotation.to} since ${isoOf(rotation.beganAt)}, and only an ` +
      "earlier key is here. Put the new one before it in PORTICO_MASTER_KEY, or restore master.key with both"
    );
  }
  const missing = isResealed(state) ? undefined : missingOf(rotation, masterKeys);
  if (missing === undefined) return null;
  return (
    `the database still has secrets under the earlier master key ${missing.keyId}: put it back after the current one, in ` +
    "PORTICO_MASTER_KEY or master.key, until `portico master-key status` says that it may be taken away"
  );
}

const OTHER_KEY =
  "the master key is not the one that this database was written with: set PORTICO_MASTER_KEY, or restore master.key, to it";

/** An earlier key that is none of these. */
function missingOf(rotation: Rotation | null, masterKeys: readonly Buffer[]) {
  return rotation?.from.find(({ check }) => !masterKeys.some((key) => isKeyOf(check, key)));
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
