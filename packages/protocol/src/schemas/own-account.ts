import type { Static } from "typebox";
import * as Type from "typebox";
import { time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** Body of `PUT me/password`, for developers and members. The service's own rules are checked later. */
export const ChangePasswordBodySchema = Type.Object({
  currentPassword: plainText({ minLength: 1, maxLength: 1_024 }),
  newPassword: plainText({ minLength: 8, maxLength: 1_024 }),
});

/** `value` of the calls of members that answer with nothing. */
export const EmptySchema = Type.Object({});

/** A login of a developer or a member. */
export const OwnSessionSchema = Type.Object({
  sessionId: Type.String(),
  address: Type.String({
    description: "Network address from which it was begun or last renewed; empty when not known",
  }),
  userAgent: Type.String(),
  createdAt: time(),
  lastUsedAt: time("When it was begun or last renewed"),
  expiresAt: time("When it ends unless it is renewed"),
  current: Type.Boolean({ description: "Whether it is the one that asks" }),
});
export type OwnSession = Static<typeof OwnSessionSchema>;

/** Answer of `GET sessions`, the most recently used first. */
export const OwnSessionListSchema = Type.Object({ items: Type.Array(OwnSessionSchema) });
