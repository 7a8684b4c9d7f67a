import { type HeldApp, holdApp } from "../../applications/held-app.ts";
import type { Change } from "../../audit/audit-store.ts";
import type { Said } from "../said.ts";
import type { AppEntry } from "../schema.ts";
import type { Run } from "./run.ts";

/** An application of a file: what is said of it, and where. */
export class AppPlace {
  readonly run: Run;
  readonly said: Said;
  readonly app: AppEntry;
  readonly appId: string;
  readonly tenantId: string;
  /** Its path in the file, for messages. */
  readonly path: string;
  #held: HeldApp | null = null;

  constructor(run: Run, parts: { said: Said; app: AppEntry; tenantId: string; path: string }) {
    this.run = run;
    this.said = parts.said;
    this.app = parts.app;
    this.appId = parts.app.appId;
    this.tenantId = parts.tenantId;
    this.path = parts.path;
  }

  /** The application's row, held before anything of it is changed; null when there is none. */
  async find(): Promise<HeldApp | null> {
    this.#held ??= await holdApp(this.run.tx, this.appId);
    return this.#held;
  }

  /** The same of one that is there. */
  async hold(): Promise<HeldApp> {
    const held = await this.find();
    if (held === null) throw new Error(`${this.appId} is gone`);
    return held;
  }

  /** To be called when the row has been written: the next look reads it again. */
  changed(): void {
    this.#held = null;
  }

  /** Writes a change of something of the application's to the audit log. */
  async audit(change: Pick<Change, "action" | "target" | "before" | "after">): Promise<void> {
    const { appId, tenantId } = this;
    await this.run.audit({ ...change, appId, tenantId });
    this.run.afterCommit(() => this.run.ctx.apps.forget(appId));
  }
}
