import { fault } from "@portico/protocol";
import Negotiator from "negotiator";
import { Refusal } from "../errors/refusal.ts";

/**
 * Step 10, first half: the answer is JSON, so `Accept` must allow it (RFC 9110, section 12.5.1).
 *
 * @throws ApiError 406001.
 */
export function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === "*/*" || accept === "application/json") return;
  const negotiator = new Negotiator({ headers: { accept } });
  if (negotiator.mediaType(["application/json"]) === undefined) {
    const reason = `Accept is ${accept}`;
    throw new Refusal("NOT_ACCEPTABLE", { check: "accept", details: { received: accept } }, { reason });
  }
}

/**
 * Step 10, second half: a JSON body must have the JSON media type. Parameters are ignored; the body is UTF-8 whatever
 * they say.
 *
 * @throws ApiError 415001, whose message begins with the received type.
 */
export function checkContentType(contentType: string | undefined, expected: string): void {
  if (contentType === expected) return;
  const received = (contentType ?? "").split(";", 1)[0]?.trim() ?? "";
  if (received.toLowerCase() === expected) return;
  const shown = received === "" ? "(none)" : received;
  const details = { received: contentType ?? null, expected };
  throw new Refusal(fault("CONTENT_TYPE_UNSUPPORTED", { type: shown }), { check: "content-type", details });
}
