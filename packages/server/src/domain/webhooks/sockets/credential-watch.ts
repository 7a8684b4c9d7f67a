import type { GoodbyeReason } from "@portico/protocol";
import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { SocketHub } from "./socket-hub.ts";

/** How often connections are checked: a goodbye follows its cause within a second. */
const EVERY_MS = 400;
/** Credentials per statement. */
const CHUNK = 200;

/** Says goodbye to connections whose application is no longer ACTIVE, or whose credential no longer counts. */
export class CredentialWatch {
  readonly #parts: { db: Db; hub: SocketHub; clock: Clock; config: Config; log: Logger };
  readonly #timer: NodeJS.Timeout;
  #isRunning = false;

  constructor(parts: { db: Db; hub: SocketHub; clock: Clock; config: Config; log: Logger }) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.check(), EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Checks all connections of this process, unless that is under way. Never rejects. */
  async check(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#check();
    } catch (error) {
      this.#parts.log.warn(
        { err: error },
        "the credentials of socket connections could not be read; read again shortly",
      );
    } finally {
      this.#isRunning = false;
    }
  }

  async #check(): Promise<void> {
    const connections = [...this.#parts.hub.connections].filter(({ isLeaving }) => !isLeaving);
    const ids = [...new Set(connections.map(({ credentialId }) => credentialId))];
    const states = new Map<string, CredentialState>();
    for (let start = 0; start < ids.length; start += CHUNK) {
      const chunk = ids.slice(start, start + CHUNK);
      // Padded with an element that it has already: the statement is then always the same and prepared once.
      const filled = Array.from({ length: CHUNK }, (_, index) => chunk[index % chunk.length] ?? "");
      for (const state of await listStates(this.#parts.db, filled)) states.set(state.credentialId, state);
    }
    for (const connection of connections) {
      const reason = this.#reasonToLeave(states.get(connection.credentialId));
      if (reason !== null) connection.leave(reason);
    }
  }

  #reasonToLeave(state: CredentialState | undefined): GoodbyeReason | null {
    const { clock, config } = this.#parts;
    if (state === undefined) return "credential";
    if (state.status !== "ACTIVE") return "disabled";
    const { rotatedAt } = state;
    return rotatedAt !== null && clock.now() >= rotatedAt + config.limits.credentialGraceMs ? "credential" : null;
  }
}

interface CredentialState {
  credentialId: string;
  rotatedAt: number | null;
  status: string;
}

async function listStates(db: Db, credentialIds: readonly string[]): Promise<CredentialState[]> {
  return await db
    .selectFrom("credentials")
    .innerJoin("apps", "apps.app_id", "credentials.app_id")
    .select(["credential_id as credentialId", "rotated_at as rotatedAt", "apps.status"])
    .where("credential_id", "in", credentialIds)
    .execute();
}
