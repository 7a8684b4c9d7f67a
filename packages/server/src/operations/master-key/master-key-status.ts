import { renewables } from "../../domain/master-key/renewable.ts";
import { listKeyHolders } from "../../domain/processes/known-keys.ts";
import { ConfigError } from "../../platform/config/config-error.ts";
import { loadConfig } from "../../platform/config/load-config.ts";
import { faultOf, type KeyState, readKeyState, sealingOf } from "../../platform/crypto/key-state.ts";
import { readMasterKeys } from "../../platform/crypto/master-key-file.ts";
import { keyIdOf, SecretBox } from "../../platform/crypto/secret-box.ts";
import { openReadOnly, type ReadOnlyStorage } from "../../platform/storage/open-read-only.ts";

/** How far the rotation of the master key is; see docs/operations.md#rotating-the-master-key. Times are epoch milliseconds. */
export interface MasterKeyReport {
  state: "none" | "waiting" | "resealing" | "settling" | "done";
  /** The ids of the key that seals, and of the first one that is configured here. */
  sealing: string;
  first: string;
  /** The ids of the earlier keys of the last rotation. */
  from: string[];
  /** Stored values that still need an earlier key, by kind; null where none is counted. */
  left: Record<string, number> | null;
  /** Of those, what none of the keys opens. */
  unreadable: number;
  beganAt: number | null;
  resealedAt: number | null;
  settlesAt: number | null;
  doneAt: number | null;
  /** The processes that are behind, as host:pid. */
  waitingFor: string[];
}

/**
 * How far the rotation of the master key is. Writes nothing, and may run beside the service.
 *
 * @throws ConfigError when there is no database, or a master key that it needs is missing.
 */
export async function masterKeyStatus(env: NodeJS.ProcessEnv): Promise<MasterKeyReport> {
  const config = loadConfig(env);
  await using opened = new AsyncDisposableStack();
  const storage = opened.adopt(await openReadOnly(config), (open) => open.close());
  const keys = readMasterKeys(config);
  const state = await readKeyState(storage.db);
  const fault = faultOf(state, keys);
  if (fault !== null) throw new ConfigError(fault);
  const sealing = sealingOf(state, keys);
  const [first] = keys;
  if (sealing === null || first === undefined)
    throw new ConfigError("there is no master key yet: the first start makes or takes one");
  const isCurrent = keyIdOf(first) === sealing.keyId;
  const { rotation } = state;
  const isCounted = rotation !== null && rotation.doneAt === null;
  return {
    state: isCurrent ? stateOf(state) : "waiting",
    sealing: sealing.keyId,
    first: keyIdOf(first),
    from: rotation?.from.map(({ keyId }) => keyId) ?? [],
    left: isCounted ? await countLeft(storage, new SecretBox(keys, sealing)) : null,
    unreadable: rotation?.unreadable ?? 0,
    beganAt: rotation?.beganAt ?? null,
    resealedAt: rotation?.resealedAt ?? null,
    settlesAt: rotation?.settlesAt ?? null,
    doneAt: rotation?.doneAt ?? null,
    waitingFor: config.distributed === null ? [] : await listBehind(storage, keyIdOf(first), isCurrent),
  };
}

function stateOf({ rotation }: KeyState): MasterKeyReport["state"] {
  if (rotation === null) return "none";
  if (rotation.resealedAt === null) return "resealing";
  return rotation.doneAt === null ? "settling" : "done";
}

async function countLeft({ db, dialect }: ReadOnlyStorage, secretBox: SecretBox): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  for (const renewable of renewables(secretBox, dialect)) left[renewable.name] = await renewable.countLeft(db);
  return left;
}

/** Those that do not have the key in front, or do not seal with it yet though it is the one that does. */
async function listBehind({ db }: ReadOnlyStorage, first: string, isCurrent: boolean): Promise<string[]> {
  const holders = await listKeyHolders(db, Date.now());
  const isBehind = ({ keys }: (typeof holders)[number]) => (isCurrent ? keys?.sealing : keys?.first) !== first;
  return holders.filter(isBehind).map((holder) => holder.process);
}
