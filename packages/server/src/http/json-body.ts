import { isUtf8 } from "node:buffer";
import type { SchemaProblem } from "@portico/protocol";
import { Refusal } from "./refusal.ts";

/**
 * Parses a body as JSON. Repeated keys: the last counts. Keys such as `__proto__` become plain own properties.
 *
 * @throws ApiError 400006 when it is not UTF-8 or not JSON.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw wrongBody("not-utf8", "请求体必须为UTF-8编码");
  if (body.length === 0) throw wrongBody("missing", "请求体不能为空");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw wrongBody("not-json", "请求体不是合法的JSON");
  }
}

function wrongBody(problem: SchemaProblem, message: string): Refusal {
  const details = { field: null, pointer: "", problem, expected: null };
  return new Refusal("INVALID_REQUEST", { check: "schema", details }, { message });
}
