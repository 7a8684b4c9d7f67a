import { isUtf8 } from "node:buffer";
import type { ApiErrorCode, SchemaProblem, Stated } from "@portico/protocol";
import { Refusal } from "../errors/refusal.ts";
import type { BufferedBody } from "./buffered-body.ts";

/**
 * Parses a body as JSON, unless that has been done already (see HeavyJson). Repeated keys: the last counts. Keys such as
 * `__proto__` become plain own properties.
 *
 * @throws ApiError 400006 when it is not UTF-8 or not JSON.
 */
export function parseJsonBody({ bytes, parsed }: BufferedBody): unknown {
  if (parsed === null) return parse(bytes);
  if ("error" in parsed) throw parsed.error;
  return parsed.value;
}

function parse(body: Buffer): unknown {
  const text = textOf(body);
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** The text of a body that is to be JSON. */
export function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw wrongBody("not-utf8", "BODY_NOT_UTF8");
  if (body.length === 0) throw wrongBody("missing", "BODY_MISSING");
  return body.toString("utf8");
}

export function notJson(): Refusal {
  return wrongBody("not-json", "BODY_NOT_JSON");
}

function wrongBody(problem: SchemaProblem, stated: Stated<ApiErrorCode>): Refusal {
  const details = { field: null, pointer: "", problem, expected: null };
  return new Refusal(stated, { check: "schema", details });
}
