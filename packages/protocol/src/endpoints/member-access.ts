import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode } from "../errors/index.ts";
import type { Endpoint } from "./endpoint.ts";

/** Who may make a call of the members' or agents' API: signed-in members, or everybody. */
export type MemberAccess = "member" | "public";

/** A call of the members' or agents' API: with the Bearer token of a login, or public. */
export type MemberEndpoint = Endpoint<
  string,
  TObject | undefined,
  TSchema | undefined,
  TSchema,
  MemberAccess,
  ApiErrorCode
>;
