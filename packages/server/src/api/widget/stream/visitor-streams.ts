import { STREAM_PATHS } from "@portico/protocol/endpoints";
import { DeskNews } from "../../../domain/customer-service/live/desk-news.ts";
import { VisitorFeeds } from "../../../domain/customer-service/live/visitor-feeds.ts";
import type { VisitorRow } from "../../../domain/customer-service/visitor-store.ts";
import { visitorOfToken } from "../../../domain/customer-service/visitor-tokens.ts";
import type { StreamKind } from "../../../platform/streams/stream-kind.ts";
import { checkOrigin } from "../cross-origin.ts";
import type { VisitorStreamParts } from "../parts.ts";
import { VisitorStreamSession } from "./visitor-session.ts";

/** The streams of visitors' widgets (docs/contract/streams.md#visitors). */
export function visitorStreams(ctx: VisitorStreamParts): StreamKind<VisitorRow, VisitorStreamSession> {
  const [news, messages] = [new DeskNews(ctx), new VisitorFeeds(ctx)];
  const sources = { news, feeds: messages.feeds };
  const unlisten: (() => void)[] = [];
  return {
    path: STREAM_PATHS.visitor,
    lookEverySeconds: 30,
    maxPerOwner: 20,
    async ownerOf(accessToken) {
      const visitor = await visitorOfToken(ctx.storage.db, accessToken, ctx.clock.now());
      if (visitor === null) return null;
      return (await ctx.apps.find(visitor.appId))?.status === "ACTIVE" ? visitor : null;
    },
    idOf: ({ visitorId }) => visitorId,
    checkPlace: ({ appId }, origin) => checkOrigin(ctx, appId, origin),
    open: (visitor, onClosed) => new VisitorStreamSession(ctx, visitor, sources, onClosed),
    async renew(_visitorId, sessions) {
      for (const session of sessions) session.renew();
    },
    onSignOut(listener) {
      unlisten.push(
        ctx.deskLive.listen((_appId, hint) => {
          if (hint.type === "visitor") listener(hint.visitorId);
        }),
      );
    },
    close() {
      for (const end of unlisten) end();
      news.close();
      messages.close();
    },
  };
}
