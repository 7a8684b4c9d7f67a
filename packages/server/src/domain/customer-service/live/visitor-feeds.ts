import type { Logger } from "pino";
import type { Storage } from "../../../platform/storage/storage.ts";
import { type FeedSource, Feeds } from "../../../platform/streams/feeds.ts";
import { findLastSeqs } from "../../conversations/sequence-store.ts";
import { subject } from "../desk-hint.ts";
import type { DeskHub } from "../desk-hub.ts";
import { type CustomerMessageRow, listMessagePage, visitorIdOf, visitorKey } from "../message-store.ts";

/** Visitors' messages for the streams of this process, by {@link visitorKey}. */
export class VisitorFeeds {
  readonly feeds: Feeds<CustomerMessageRow>;
  readonly #unlisten: () => void;

  constructor({ storage, log, deskLive }: { storage: Storage; log: Logger; deskLive: DeskHub }) {
    const subjectsOf = (keys: readonly string[]) => keys.map((key) => subject("visitor", visitorIdOf(key)));
    this.feeds = new Feeds(
      {
        ...messagesOf(storage),
        attend: (keys) => deskLive.attend(this, subjectsOf(keys)),
        ignore: (keys) => deskLive.ignore(this, subjectsOf(keys)),
      },
      log,
    );
    deskLive.onGap(() => this.feeds.catchUp());
    this.#unlisten = deskLive.listen((_appId, hint) => {
      if (hint.type === "message") this.feeds.hint(visitorKey(hint.visitorId), hint.seq);
    });
  }

  close(): void {
    this.feeds.close();
    this.#unlisten();
  }
}

function messagesOf(storage: Storage): FeedSource<CustomerMessageRow> {
  return {
    lastSeqs: (keys) => findLastSeqs(storage.db, keys),
    async readPage(key, afterSeq, most) {
      const to = Math.min(Number.MAX_SAFE_INTEGER, afterSeq + most);
      const page = await listMessagePage(storage.db, visitorIdOf(key), { from: afterSeq + 1, to });
      await storage.synced();
      return page;
    },
    // A visitor's messages may be followed by every stream that was let in; a stream ends when the visitor is no longer
    // its own.
    allowed: async (_key, ownerIds) => new Set(ownerIds),
  };
}
