import type { Member } from "@portico/protocol";
import { STREAM_PATHS } from "@portico/protocol/endpoints";
import { DeskNews } from "../../../domain/customer-service/live/desk-news.ts";
import { VisitorFeeds } from "../../../domain/customer-service/live/visitor-feeds.ts";
import type { StreamKind } from "../../../platform/streams/stream-kind.ts";
import type { AgentStreamParts } from "../parts.ts";
import { AgentStreamSession } from "./agent-session.ts";

/** The streams of agents (docs/contract/streams.md#agents). Pong frames of their clients are the heartbeat. */
export function agentStreams(ctx: AgentStreamParts): StreamKind<Member, AgentStreamSession> {
  const [news, messages] = [new DeskNews(ctx), new VisitorFeeds(ctx)];
  const sources = { news, feeds: messages.feeds };
  return {
    path: STREAM_PATHS.agent,
    lookEverySeconds: 15,
    maxPerOwner: 20,
    ownerOf: (accessToken) => ctx.memberTokens.memberOf(accessToken),
    idOf: ({ userId }) => userId,
    open: (member, onClosed) => new AgentStreamSession(ctx, member, sources, onClosed),
    async renew(_userId, sessions) {
      for (const session of sessions) session.renew();
    },
    onSignOut(listener) {
      ctx.live.onSignOut(listener);
    },
    close() {
      news.close();
      messages.close();
    },
  };
}
