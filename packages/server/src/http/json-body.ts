import { isUtf8 } from "node:buffer";
import { ApiError } from "@portico/protocol";

/**
 * Parses a body as JSON. Repeated keys: the last counts. Keys such as `__proto__` become plain own properties.
 *
 * @throws ApiError 400006 when it is not UTF-8 or not JSON.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ApiError("INVALID_REQUEST", "请求体必须为UTF-8编码");
  if (body.length === 0) throw new ApiError("INVALID_REQUEST", "请求体不能为空");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new ApiError("INVALID_REQUEST", "请求体不是合法的JSON");
  }
}
