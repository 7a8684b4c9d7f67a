import { type ApiErrorCode, fault, type SchemaProblem, type Stated } from "@portico/protocol";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../errors/refusal.ts";

/**
 * The decoded ids of the path.
 *
 * @throws ApiError 400006 when one contains NUL, which PostgreSQL texts cannot contain.
 */
export function pathParams(request: FastifyRequest): Record<string, string> {
  const params = Object.entries(request.params ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const [wrong] = params.find(([, value]) => value.includes("\0")) ?? [];
  if (wrong !== undefined) throw wrongParameter(wrong, "PATH_CHARACTERS_WRONG", "characters", "without NUL");
  return Object.fromEntries(params);
}

/**
 * A numeric id of the path; 0, which no row has, for a number that cannot be an id.
 *
 * @throws ApiError 400006 when it is not an integer.
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
