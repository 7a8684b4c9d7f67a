import { BOUNDS } from "@portico/protocol";
import { OPEN_HEADERS } from "@portico/protocol/signature";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { App } from "../applications/app-directory.ts";
import type { Context } from "../context.ts";
import type { Trace } from "../http/trace.ts";
import { RateGate } from "../rate-gate.ts";
import { blankedPath, shownHeaders, writeDetail } from "./call-detail.ts";
import type { RequestRecord } from "./request-store.ts";

/** Calls of unknown applications that are kept in each second at most. */
const STRANGERS_PER_SECOND = 50;
/** Refused calls of which more is found out in each second at most: of one application, and of all. Each takes about a millisecond. */
const INQUIRIES_PER_SECOND = 5;
const ALL_INQUIRIES_PER_SECOND = 20;
const MAX_REMEMBERED_APPS = 1_000;

const APP_ID_HEADER = OPEN_HEADERS.appId.toLowerCase();

/** Puts refused calls, once they are answered, into the request log with all that explains them. */
export class RefusedCalls {
  readonly #ctx: Context;
  readonly #strangers = new RateGate(STRANGERS_PER_SECOND);
  readonly #inquiries = new RateGate(ALL_INQUIRIES_PER_SECOND);
  readonly #inquiriesByApp = new LRUCache<string, RateGate>({ max: MAX_REMEMBERED_APPS });

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Keeps `record`, of a call that was refused for `reason`. Never fails. */
  keep(request: FastifyRequest, record: RequestRecord, reason: string): void {
    const { app } = request.trace;
    if (app !== null) this.#keep(request, record, reason, app);
    else void this.#claimedApp(request).then((claimed) => this.#keep(request, record, reason, claimed));
  }

  /** Whoever owns the application may want to know why a call in its name was refused before it was even looked up. */
  async #claimedApp({ headers }: FastifyRequest): Promise<App | null> {
    const appId = headers[APP_ID_HEADER];
    if (typeof appId !== "string" || appId === "" || appId.length > BOUNDS.idLength) return null;
    try {
      return await this.#ctx.apps.find(appId);
    } catch {
      return null;
    }
  }

  #keep({ raw, trace }: FastifyRequest, record: RequestRecord, reason: string, app: App | null): void {
    if (app === null && !this.#strangers.pass(trace.at)) return;
    const { url = "" } = raw;
    const question = url.indexOf("?");
    const detail = {
      reason,
      refusal: this.#refusal(trace, app),
      query: question === -1 ? null : url.slice(question + 1),
      headers: shownHeaders(raw.rawHeaders),
    };
    const keys = app === null ? [] : Array.from(app.credentials.values(), ({ key }) => key);
    this.#ctx.requestLog.add({
      ...record,
      appId: app?.appId ?? null,
      path: blankedPath(record.path, keys),
      detail: writeDetail(detail, keys),
    });
  }

  #refusal({ at, inquire, refusal }: Trace, app: App | null) {
    if (inquire !== null && app !== null && this.#mayInquire(app.appId, at)) {
      try {
        return inquire();
      } catch (error) {
        this.#ctx.log.warn({ err: error }, "a refused signature could not be looked into");
      }
    }
    return refusal ?? ({ check: "internal", details: null } as const);
  }

  #mayInquire(appId: string, now: number): boolean {
    let own = this.#inquiriesByApp.get(appId);
    if (own === undefined) {
      own = new RateGate(INQUIRIES_PER_SECOND);
      this.#inquiriesByApp.set(appId, own);
    }
    return own.pass(now) && this.#inquiries.pass(now);
  }
}
