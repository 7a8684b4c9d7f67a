import type { Static } from "typebox";
import * as Type from "typebox";
import { BOUNDS } from "../limits.ts";
import { time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** Body of `POST /api/client/v1/miniapp/code`. */
export const MiniappCodeBodySchema = Type.Object({
  appId: plainText({ minLength: 1, maxLength: BOUNDS.idLength, description: "The mini-program that is opened" }),
});

/** `value` of `POST /api/client/v1/miniapp/code`: a login code, which the mini-program passes to its own server. */
export const MiniappCodeSchema = Type.Object({
  code: Type.String({ description: "Can be exchanged once, by the mini-program it was made for" }),
  expiresAt: time("When it no longer can be"),
});
export type MiniappCode = Static<typeof MiniappCodeSchema>;

/** Body of `POST /api/open/v2/miniapp/session`. */
export const MiniappSessionBodySchema = Type.Object({
  code: plainText({ minLength: 1, description: "What the member's messenger gave the mini-program" }),
});

/** `value` of `POST /api/open/v2/miniapp/session` (docs/contract/mini-programs.md#the-session). */
export const MiniappSessionSchema = Type.Object({
  openId: Type.String({ description: "The member, to this application: always the same" }),
  unionId: Type.String({ description: "The member, to all applications of the developer: always the same" }),
  sessionKey: Type.String({
    description: "32 random bytes in base64url, new for each session; the service keeps none",
  }),
  expiresAt: time("Until when the session is good"),
});
export type MiniappSession = Static<typeof MiniappSessionSchema>;
