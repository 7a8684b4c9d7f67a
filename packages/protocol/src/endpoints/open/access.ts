import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode, Stated } from "../../errors/index.ts";
import type { Scope } from "../../scopes.ts";
import type { Endpoint } from "../endpoint.ts";

/** The access rule of a call of the open API. */
export interface OpenAccess {
  /** The required scope; null for none. */
  readonly scope: Scope | null;
  /** The error when the caller's application does not exist, if it differs from the usual 401. */
  readonly unknownApp?: Stated<ApiErrorCode>;
}

/** A call of the open API, which is signed. */
export type OpenEndpoint = Endpoint<
  string,
  TObject | undefined,
  TSchema | undefined,
  TSchema,
  OpenAccess,
  ApiErrorCode
>;
