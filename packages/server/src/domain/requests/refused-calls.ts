import { BOUNDS, type CallRefusal } from "@portico/protocol";
import { OPEN_HEADERS } from "@portico/protocol/signature";
import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { CallingApp, Trace } from "../../platform/http/trace.ts";
import { KeyedRateLimiter } from "../../platform/limits/keyed-rate-limiter.ts";
import { RateLimiter } from "../../platform/limits/rate-limiter.ts";
import type { AppDirectory } from "../applications/app-directory.ts";
import { blankedPath, shownHeaders, writeDetail } from "./call-detail.ts";
import type { RequestLog } from "./request-log.ts";
import type { RequestRecord } from "./request-store.ts";

/** The dependencies of recording refused calls. */
export interface RefusedCallsParts {
  apps: AppDirectory;
  requestLog: RequestLog;
  log: Logger;
}

/** The most calls of unknown applications that are recorded per second. */
const STRANGERS_PER_SECOND = 50;
/**
 * The most calls recorded per second, of one application and of all, that were refused before the signature proved
 * which application sent them: anybody may send its id, and no quota counts these calls.
 */
const UNPROVEN_RATES = { perSecond: 500, perSecondAndKey: 50, maxKeys: 1_000 };
const UNPROVEN: ReadonlySet<CallRefusal["check"]> = new Set([
  "connection",
  "body-size",
  "pace",
  "headers",
  "timestamp",
  "application",
  "app-state",
  "credential",
  "signature",
  "capacity",
]);

/**
 * The most refused calls that are analysed per second, of one application and of all. An analysis takes about a
 * millisecond.
 */
const INQUIRY_RATES = { perSecond: 20, perSecondAndKey: 5, maxKeys: 1_000 };

const APP_ID_HEADER = OPEN_HEADERS.appId.toLowerCase();

/** Writes refused calls, after they were answered, to the request log with an explanation. */
export class RefusedCalls {
  readonly #ctx: RefusedCallsParts;
  readonly #strangers = new RateLimiter(STRANGERS_PER_SECOND);
  readonly #unproven = new KeyedRateLimiter(UNPROVEN_RATES);
  readonly #inquiries = new KeyedRateLimiter(INQUIRY_RATES);

  constructor(ctx: RefusedCallsParts) {
    this.#ctx = ctx;
  }

  /** Records `record`, a call that was refused for `reason`. Never rejects. */
  keep(request: FastifyRequest, record: RequestRecord, reason: string): void {
    const { app } = request.trace;
    if (app !== null) this.#keep(request, record, reason, app);
    else void this.#claimedApp(request).then((claimed) => this.#keep(request, record, reason, claimed));
  }

  /**
   * The owner of the application may want to know why a call in its name was refused, even one refused before the
   * application was looked up.
   */
  async #claimedApp({ headers }: FastifyRequest): Promise<CallingApp | null> {
    const appId = headers[APP_ID_HEADER];
    if (typeof appId !== "string" || appId === "" || appId.length > BOUNDS.idLength) return null;
    try {
      return await this.#ctx.apps.find(appId);
    } catch {
      return null;
    }
  }

  #keep({ raw, trace }: FastifyRequest, record: RequestRecord, reason: string, app: CallingApp | null): void {
    if (!this.#mayKeep(trace, app)) {
      if (app !== null) this.#ctx.requestLog.countRefused(app.appId, record);
      return;
    }
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

  #refusal({ at, inquire, refusal }: Trace, app: CallingApp | null) {
    if (inquire !== null && app !== null && this.#inquiries.pass(app.appId, at)) {
      try {
        return inquire();
      } catch (error) {
        this.#ctx.log.warn({ err: error }, "a refused signature could not be looked into");
      }
    }
    return refusal ?? ({ check: "internal", details: null } as const);
  }

  #mayKeep({ at, refusal }: Trace, app: CallingApp | null): boolean {
    if (app === null) return this.#strangers.pass(at);
    return refusal === null || !UNPROVEN.has(refusal.check) || this.#unproven.pass(app.appId, at);
  }
}
