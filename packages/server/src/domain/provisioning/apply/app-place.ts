import { type LockedApp, lockApp } from "../../applications/locked-app.ts";
import type { Change } from "../../audit/audit-store.ts";
import type { AppliedState } from "../applied-state.ts";
import type { AppEntry } from "../schema.ts";
import type { Run } from "./run.ts";

/** An application entry of a file, with its path in it. */
export class AppPlace {
  readonly run: Run;
  readonly applied: AppliedState;
  readonly app: AppEntry;
  readonly appId: string;
  readonly tenantId: string;
  /** The entry's path in the file, for error messages. */
  readonly path: string;
  #locked: LockedApp | null = null;

  constructor(run: Run, parts: { applied: AppliedState; app: AppEntry; tenantId: string; path: string }) {
    this.run = run;
    this.applied = parts.applied;
    this.app = parts.app;
    this.appId = parts.app.appId;
    this.tenantId = parts.tenantId;
    this.path = parts.path;
  }

  /** The application's row, locked before anything of it is changed; null when there is none. */
  async find(): Promise<LockedApp | null> {
    this.#locked ??= await lockApp(this.run.tx, this.appId);
    return this.#locked;
  }

  /** The same of one that is there. */
  async lock(): Promise<LockedApp> {
    const locked = await this.find();
    if (locked === null) throw new Error(`${this.appId} is gone`);
    return locked;
  }

  /** Call it after writing the row: the next access reads it again. */
  changed(): void {
    this.#locked = null;
  }

  /** Writes a change of the application to the audit log. */
  async audit(change: Pick<Change, "action" | "target" | "before" | "after">): Promise<void> {
    const { appId, tenantId } = this;
    await this.run.audit({ ...change, appId, tenantId });
    this.run.afterCommit(() => this.run.ctx.apps.forget(appId));
  }
}
