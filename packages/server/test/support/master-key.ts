import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import { rotateMasterKey } from "../../src/operations/master-key/rotate-master-key.ts";
import { type KeyState, readKeyState } from "../../src/platform/crypto/key-state.ts";
import type { Engine } from "./engines.ts";
import { World } from "./world.ts";

/** More than the service needs from any state to the next, when all goes well. */
const MOST_STEPS = 30;
const STEP_MS = 5_000;

/** The file with the keys of a {@link keyedWorld}. */
function keyFileOf({ env }: { env: Record<string, string> }): string {
  return env.PORTICO_MASTER_KEY_FILE ?? join(env.PORTICO_DATA_DIR ?? "", "master.key");
}

export function readKeys(world: World): Buffer[] {
  const lines = readFileSync(keyFileOf(world), "utf8").trim().split("\n");
  return lines.map((line) => Buffer.from(line, "hex"));
}

export function writeKeys(world: World, keys: readonly Buffer[]): void {
  const path = keyFileOf(world);
  writeFileSync(`${path}.tmp`, keys.map((key) => `${key.toString("hex")}\n`).join(""), { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** A world whose master keys are in a file: the service's own when embedded, the operator's when distributed. */
export async function keyedWorld(
  engine: Engine,
  provision: ProvisioningFile,
  env: Record<string, string> = {},
  parts: Parameters<typeof World.on>[4] = {},
): Promise<World> {
  const instance = await engine.create("migrated");
  const { PORTICO_MASTER_KEY: key, PORTICO_DATA_DIR: dataDir = "" } = instance.env;
  if (key !== undefined) {
    delete instance.env.PORTICO_MASTER_KEY;
    instance.env.PORTICO_MASTER_KEY_FILE = join(dataDir, "keys.txt");
    writeFileSync(instance.env.PORTICO_MASTER_KEY_FILE, `${key}\n`);
  }
  return await World.on(engine, instance, provision, env, parts);
}

/** What an operator does: the new key before the old one. Returns it. */
export async function addKey(world: World): Promise<Buffer> {
  if (world.env.PORTICO_MASTER_KEY_FILE === undefined) await rotateMasterKey(world.env);
  else writeKeys(world, [randomBytes(32), ...readKeys(world)]);
  const [first = Buffer.alloc(0)] = readKeys(world);
  return first;
}

/** Lets all processes take their steps until the database says so. */
export async function untilKeys(world: World, isSo: (state: KeyState) => boolean): Promise<KeyState> {
  for (let step = 0; step < MOST_STEPS; step++) {
    for (const { ctx } of world.all) await ctx.masterKeyRotation.run();
    const state = await readKeyState(world.portico.ctx.storage.db);
    if (isSo(state)) return state;
    world.clock.turn(STEP_MS);
  }
  throw new Error(`it did not come to this: ${isSo}\n${world.logLines.slice(-20).join("\n")}`);
}

export const hasBegun = ({ rotation }: KeyState) => rotation?.resealedAt === null;
export const isSealedAnew = ({ rotation }: KeyState) => rotation !== null && rotation.resealedAt !== null;

/** To the end of a rotation, which the clock is turned to. */
export async function untilDone(world: World): Promise<void> {
  const { rotation } = await untilKeys(world, isSealedAnew);
  world.clock.turn(Math.max(0, (rotation?.settlesAt ?? 0) - world.clock.now()));
  await untilKeys(world, (state) => state.rotation !== null && state.rotation.doneAt !== null);
  for (const { ctx } of world.all) await ctx.masterKeyRotation.run();
}

/** Everything in the database that is sealed, with what each box belongs to. */
export async function allBoxes(world: World): Promise<{ owner: string; box: string }[]> {
  const { db } = world.portico.ctx.storage;
  const credentials = await db.selectFrom("credentials").selectAll().execute();
  const subscriptions = await db.selectFrom("subscriptions").selectAll().execute();
  const factors = await db.selectFrom("developer_factors").selectAll().execute();
  const meta = await db.selectFrom("meta").selectAll().execute();
  const keys: string[] = JSON.parse(meta.find(({ name }) => name === "provisioned-keys")?.value ?? "[]");
  return [
    ...credentials.map((row) => ({ owner: row.credential_id, box: row.secret_box })),
    ...subscriptions.map((row) => ({ owner: `subscription:${row.app_id}:${row.event_type}`, box: row.secret_box })),
    ...factors.map((row) => ({ owner: `second factor of ${row.developer_id}`, box: row.secret_box })),
    ...meta.filter(({ name }) => name === "master-key-check").map(({ name, value }) => ({ owner: name, box: value })),
    ...keys.map((box, index) => ({ owner: `provisioned key ${index}`, box })),
  ];
}
