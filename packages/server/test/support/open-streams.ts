import type { TestContext } from "node:test";
import type { ConversationFeeds } from "../../src/domain/conversations/live/conversation-feeds.ts";
import type { World } from "./world.ts";

type MembersStream = Parameters<ConversationFeeds["join"]>[0];

/** The streams that are opened from now until the end of the test, while they are open at the service. */
export function openStreams(t: TestContext, world: World): ReadonlySet<object> {
  const open = new Set<object>();
  const { live } = world.portico.ctx;
  const [join, leave] = [live.join.bind(live), live.leave.bind(live)];
  t.mock.method(live, "join", (watcher: MembersStream) => {
    open.add(watcher);
    join(watcher);
  });
  t.mock.method(live, "leave", (watcher: MembersStream) => {
    open.delete(watcher);
    leave(watcher);
  });
  return open;
}
