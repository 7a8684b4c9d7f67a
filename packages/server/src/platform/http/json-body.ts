import { isUtf8 } from "node:buffer";
import type { ApiErrorCode, SchemaProblem, Stated } from "@portico/protocol";
import { Refusal } from "../errors/refusal.ts";

/**
 * Parses a body as JSON. Repeated keys: the last counts. Keys such as `__proto__` become plain own properties.
 *
 * @throws ApiError 400006 when it is not UTF-8 or not JSON.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw wrongBody("not-utf8", "BODY_NOT_UTF8");
  if (body.length === 0) throw wrongBody("missing", "BODY_MISSING");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw wrongBody("not-json", "BODY_NOT_JSON");
  }
}

function wrongBody(problem: SchemaProblem, stated: Stated<ApiErrorCode>): Refusal {
  const details = { field: null, pointer: "", problem, expected: null };
  return new Refusal(stated, { check: "schema", details });
}
