import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode } from "../errors/index.ts";
import type { Endpoint } from "./endpoint.ts";

/** Who may make a call of the members' or the agents' API: a member who is signed in, or anybody. */
export type MemberAccess = "member" | "public";

/** A call of the members' or the agents' API: with the Bearer token of a login, or, to log in, with none. */
export type MemberEndpoint = Endpoint<
  string,
  TObject | undefined,
  TSchema | undefined,
  TSchema,
  MemberAccess,
  ApiErrorCode
>;
