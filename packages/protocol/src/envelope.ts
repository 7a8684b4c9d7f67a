import { SUCCESS_CODE } from "./errors/index.ts";

/** The body of every open API answer (docs/contract/README.md#in-every-answer). `value` is null in a failure. */
export interface ApiResult<Value = unknown> {
  code: string;
  message: string;
  value: Value | null;
  /** Identifies this request in the service's logs; callers should log it. */
  reqNo: string;
}

/** A successful envelope. */
export function success<Value>(value: Value, reqNo: string): ApiResult<Value> {
  return { code: SUCCESS_CODE, message: "success", value, reqNo };
}

/** A failed envelope. */
export function failure(code: string, message: string, reqNo: string): ApiResult<never> {
  return { code, message, value: null, reqNo };
}
