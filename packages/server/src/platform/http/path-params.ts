import { type ApiErrorCode, fault, type SchemaProblem, type Stated } from "@portico/protocol";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../errors/refusal.ts";

/**
 * Ids from the path, decoded.
 *
 * @throws ApiError 400006 when one holds NUL: PostgreSQL's texts hold none, so it would be nobody's.
 */
export function pathParams(request: FastifyRequest): Record<string, string> {
  const params = Object.entries(request.params ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const [wrong] = params.find(([, value]) => value.includes("\0")) ?? [];
  if (wrong !== undefined) throw wrongParameter(wrong, "PATH_CHARACTERS_WRONG", "characters", "without NUL");
  return Object.fromEntries(params);
}

/**
 * A numeric id from the path; 0, which nothing has, for a number that no id can be.
 *
 * @throws ApiError 400006 when it is no integer.
 */
export function integerParam<Name extends string>(params: { readonly [Key in Name]?: string }, name: Name): number {
  const text = params[name] ?? "";
  if (!/^-?\d{1,19}$/.test(text)) {
    throw wrongParameter(name, fault("FIELD_TYPE_WRONG", { field: name, type: "integer" }), "type", "an integer");
  }
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

function wrongParameter(
  field: string,
  stated: Stated<ApiErrorCode>,
  problem: SchemaProblem,
  expected: string,
): Refusal {
  const details = { field, pointer: null, problem, expected };
  return new Refusal(stated, { check: "schema", details });
}
