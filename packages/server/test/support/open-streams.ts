import type { TestContext } from "node:test";
import type { Watcher } from "../../src/domain/conversations/live/feeds.ts";
import type { World } from "./world.ts";

/** The streams that are opened from here on until the end of the test, as long as they are open for the service. */
export function openStreams(t: TestContext, world: World): ReadonlySet<Watcher> {
  const open = new Set<Watcher>();
  const { live } = world.portico.ctx;
  const [join, leave] = [live.join.bind(live), live.leave.bind(live)];
  t.mock.method(live, "join", (watcher: Watcher) => {
    open.add(watcher);
    join(watcher);
  });
  t.mock.method(live, "leave", (watcher: Watcher) => {
    open.delete(watcher);
    leave(watcher);
  });
  return open;
}
