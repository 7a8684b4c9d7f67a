import type { Static } from "typebox";
import * as Type from "typebox";
import { DESK_BOUNDS, SHORTCUT_PATTERN } from "../customer.ts";
import { nullable, pageOf, pageQuery, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** A text that agents insert by its shortcut (docs/contract/customer-service.md#canned-replies). */
export const CannedReplySchema = Type.Object({
  replyId: Type.String(),
  shortcut: Type.String({ description: "Unique in the application, whatever the case of its letters" }),
  text: Type.String({ description: "May have the placeholders {{visitor.nickname}}, {{agent.name}} and {{app.name}}" }),
  updatedBy: nullable(Type.String({ description: "The name of the agent or developer who saved it last" })),
  updatedAt: time(),
});
export type CannedReply = Static<typeof CannedReplySchema>;

const shortcut = Type.String({
  minLength: 1,
  maxLength: DESK_BOUNDS.shortcutLength,
  pattern: SHORTCUT_PATTERN,
  description: "Letters, digits, _ and -",
});
const text = plainText({ minLength: 1, maxLength: DESK_BOUNDS.cannedReplyLength, description: "Not blank" });

/** Body of `POST .../canned-replies`. */
export const CannedReplyBodySchema = Type.Object({ shortcut, text });
/** Body of `PATCH .../canned-replies/{replyId}`; what is left out does not change. */
export const UpdateCannedReplyBodySchema = Type.Object({
  shortcut: Type.Optional(shortcut),
  text: Type.Optional(text),
});

/** `value` of `GET /api/desk/v1/apps/{appId}/canned-replies`: all of them, by shortcut. */
export const CannedReplyListSchema = Type.Object({ items: Type.Array(CannedReplySchema) });

/** Query of the console's `GET apps/{appId}/canned-replies`. */
export const CannedReplyPageQuerySchema = Type.Object(pageQuery);
/** Answer of the console's `GET apps/{appId}/canned-replies`, by shortcut. */
export const CannedReplyPageSchema = pageOf(CannedReplySchema);
