import Type, { type Static, type TSchema } from "typebox";
import { SUCCESS_CODE } from "./errors.ts";

/** The body of every open API answer (spec.md, "Conventions"). `value` is null in a failure. */
export interface ApiResult<Value = unknown> {
  code: string;
  message: string;
  value: Value | null;
  /** Names this request in the service's logs; to be logged by the caller. */
  reqNo: string;
}

/** The TypeBox schema of an {@link ApiResult} around `value`. */
export function apiResultSchema<Value extends TSchema>(value: Value) {
  return Type.Object({ code: Type.String(), message: Type.String(), value, reqNo: Type.String() });
}

/** A successful envelope. */
export function success<Value>(value: Value, reqNo: string): ApiResult<Value> {
  return { code: SUCCESS_CODE, message: "success", value, reqNo };
}

/** A failed envelope. */
export function failure(code: string, message: string, reqNo: string): ApiResult<never> {
  return { code, message, value: null, reqNo };
}

/** The servlet container's default 404 body (spec.md, "Errors", other rules 2). */
export const ContainerErrorSchema = Type.Object({
  timestamp: Type.String(),
  status: Type.Integer(),
  error: Type.String(),
  path: Type.String(),
});
export type ContainerError = Static<typeof ContainerErrorSchema>;
