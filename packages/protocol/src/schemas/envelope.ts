import type { TSchema } from "typebox";
import * as Type from "typebox";

/** The TypeBox schema of an {@link ApiResult} around `value`. */
export function apiResultSchema<Value extends TSchema>(value: Value) {
  return Type.Object({ code: Type.String(), message: Type.String(), value, reqNo: Type.String() });
}
