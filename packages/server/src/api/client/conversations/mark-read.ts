import { ApiError } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { openConversation, parseConversationId } from "../../../domain/conversations/conversation-access.ts";
import { findMove, moveMark } from "../../../domain/conversations/read-marks.ts";
import { Allowances } from "../../../platform/limits/allowances.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { LiveParts } from "../../common/parts.ts";

/** How many marks a member may move in a minute, in each process: more than anybody reads. */
const MOVES_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

/**
 * PUT conversations/{id}/read: the member has read up to here, which the member's streams are told; a mark never moves back.
 * A call that moves nothing only reads, and is not counted.
 */
export function markRead(): ClientRoute<typeof CLIENT_ENDPOINTS.markRead, LiveParts> {
  const moves = new Allowances(MOVES_PER_MINUTE, MINUTE_MS);
  return {
    endpoint: CLIENT_ENDPOINTS.markRead,
    async handle({ clock, storage, live }, { member, params: { conversationId }, body }) {
      const { userId } = member;
      const named = parseConversationId(member, conversationId);
      const { conversationKey } = await openConversation(storage.db, member, named);
      const { from, to } = await findMove(storage.db, userId, conversationKey, body.seq);
      if (to === from) return { readSeq: from };

      const waitMs = moves.waitFor(userId, 1, clock.monotonic());
      if (waitMs > 0) throw new ApiError("MESSAGES_TOO_FREQUENT", { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
      moves.take(userId, 1, clock.monotonic());
      const moved = await storage.write((tx) => moveMark(tx, userId, conversationKey, to));
      // Another page of the member's has moved it further meanwhile.
      if (!moved) return { readSeq: (await findMove(storage.db, userId, conversationKey, to)).from };
      live.read(userId, { conversationId, seq: to });
      return { readSeq: to };
    },
  };
}
