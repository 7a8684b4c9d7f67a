import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode, Stated } from "../../errors/index.ts";
import type { Scope } from "../../scopes.ts";
import type { Endpoint } from "../endpoint.ts";

/** Which applications may make a call of the open API. */
export interface OpenAccess {
  /** The scope that an application needs; null for none. */
  readonly scope: Scope | null;
  /** What a caller is told whose application does not exist, where that is not what every 401 says. */
  readonly unknownApp?: Stated<ApiErrorCode>;
}

/** A call of the open API: a signed one. */
export type OpenEndpoint = Endpoint<
  string,
  TObject | undefined,
  TSchema | undefined,
  TSchema,
  OpenAccess,
  ApiErrorCode
>;
