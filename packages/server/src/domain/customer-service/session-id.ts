import { fault } from "@portico/protocol";
import { wrongField } from "../../platform/errors/refusal.ts";

/** The session id in a call, given as a number or as digits; null when it cannot be a session's id. */
export function sessionIdOf(given: unknown): number | null {
  const id = typeof given === "string" && /^\d{1,16}$/.test(given) ? Number(given) : given;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Whether a call contains no session id at all. */
export function namesNoSession(given: unknown): boolean {
  return given === undefined || given === null || given === "";
}

/**
 * Like {@link sessionIdOf}, for an endpoint that requires one.
 *
 * @throws ApiError 400006 when it is missing.
 */
export function requiredSessionId(given: unknown): number | null {
  if (namesNoSession(given))
    throw wrongField("sessionId", fault("FIELD_MISSING", { field: "sessionId" }), { problem: "missing" });
  return sessionIdOf(given);
}
