import type { Member } from "@portico/protocol";
import { STREAM_PATHS } from "@portico/protocol/endpoints";
import { listConversationsOf } from "../../../domain/conversations/conversations-of.ts";
import type { StreamKind } from "../../../platform/streams/stream-kind.ts";
import type { MemberStreamParts } from "../parts.ts";
import { MemberStreamSession } from "./member-session.ts";

/** The streams of members (docs/contract/streams.md#members). */
export function memberStreams(ctx: MemberStreamParts): StreamKind<Member, MemberStreamSession> {
  return {
    path: STREAM_PATHS.member,
    lookEverySeconds: 30,
    maxPerOwner: 20,
    ownerOf: (accessToken) => ctx.memberTokens.memberOf(accessToken),
    idOf: ({ userId }) => userId,
    open: (member, onClosed) => new MemberStreamSession(ctx, member, onClosed),
    async renew(userId, sessions) {
      const keys = new Set((await listConversationsOf(ctx.storage.db, userId)).map(({ key }) => key));
      for (const session of sessions) if (!session.follows(keys)) session.conversationsChanged();
    },
    onSignOut(listener) {
      ctx.live.onSignOut(listener);
    },
  };
}
