import { MIMEType } from "node:util";
import { fault } from "@portico/protocol";
import { Refusal } from "../errors/refusal.ts";

/**
 * Step 10, first half: the answer is JSON, so `Accept` must allow it (RFC 9110, section 12.5.1). Of the parameters only
 * `q` counts: clients ask for `application/json;charset=UTF-8`, and for versions and profiles that are none here. An
 * empty header says nothing.
 *
 * @throws ApiError 406001.
 */
export function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === "*/*" || accept === "application/json") return;
  if (!admitsJson(accept)) {
    const reason = `Accept is ${accept}`;
    throw new Refusal("NOT_ACCEPTABLE", { check: "accept", details: { received: accept } }, { reason });
  }
}

/** Ranges that JSON is in, the most specific one first. A single star is how old clients in Java write the last one. */
const RANGES = ["application/json", "application/*", "*/*"];
/** One range with its parameters, whose quoted values may contain commas. */
const ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;

/** Whether the most specific of the ranges that JSON is in has a weight, in any of its forms. */
function admitsJson(accept: string): boolean {
  const elements = (accept.match(ELEMENT) ?? []).map((element) => element.trim()).filter((element) => element !== "");
  if (elements.length === 0) return true;
  const weights = RANGES.map(() => [] as number[]);
  for (const element of elements) {
    const range = parsedRange(element);
    if (range !== null) weights[RANGES.indexOf(range.essence)]?.push(Number(range.params.get("q") ?? 1));
  }
  const decisive = weights.find((found) => found.length > 0) ?? [];
  return decisive.some((weight) => weight > 0);
}

function parsedRange(element: string): MIMEType | null {
  try {
    return new MIMEType(element.replace(/^\*(?=\s*(?:;|$))/, "*/*"));
  } catch {
    return null;
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
