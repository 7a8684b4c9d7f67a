import { ApiError } from "@portico/protocol";
import type { FastifyRequest } from "fastify";
import { Refusal } from "./refusal.ts";

/**
 * Ids from the path, decoded.
 *
 * @throws ApiError 400006 when one holds NUL: PostgreSQL's texts hold none, so it would be nobody's.
 */
export function pathParams(request: FastifyRequest): Record<string, string> {
  const params = Object.entries(request.params ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  if (params.some(([, value]) => value.includes("\0"))) throw new ApiError("INVALID_REQUEST", "路径参数包含非法字符");
  return Object.fromEntries(params);
}

/**
 * A numeric id from the path; 0, which nothing has, for a number that no id can be.
 *
 * @throws ApiError 400006 when it is no integer.
 */
export function integerParam(params: Readonly<Record<string, string>>, name: string): number {
  const text = params[name] ?? "";
  if (!/^-?\d{1,19}$/.test(text)) {
    const message = `${name}类型错误,应为integer`;
    throw new Refusal("INVALID_REQUEST", { check: "schema", details: { field: name } }, { message });
  }
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}
