import assert from "node:assert/strict";
import {
  bearerExchange,
  createApiClient,
  LiveStream,
  OWN_CONVERSATION,
  VISITOR_STREAM,
  type VisitorFrame,
} from "@portico/protocol/client";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { acme } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { serviceApp, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

onBothEngines("the client of a visitor's stream", (engine, test) => {
  const world = suiteWorld(engine, acme(serviceApp("app_shop", { owner: undefined })));

  test("delivers the visitor's messages in order after the given place", async () => {
    const { token } = await WidgetClient.open(world(), "app_shop", "c-1");
    const { url: baseUrl } = world();
    const widget = createApiClient(WIDGET_ENDPOINTS, bearerExchange({ baseUrl, token }));
    const say = (content: string) => widget.postMessage({ body: { content } });
    for (const content of ["one", "two", "three"]) await say(content);
    const said: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const onFrame = (frame: VisitorFrame) => {
      if (frame.type === "message.created") said.push(frame.message.content);
      if (said.length === 3) resolve();
    };
    const places = [[OWN_CONVERSATION, 1]] as const;
    const stream = new LiveStream({ baseUrl, token, kind: VISITOR_STREAM, places, onFrame });
    await say("four");
    await promise;
    assert.deepEqual(said, ["two", "three", "four"]);
    assert.deepEqual([...stream.places], [[OWN_CONVERSATION, 4]]);
    stream.close();
  });
});
