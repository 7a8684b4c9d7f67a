import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { findRedisServer } from "../../../scripts/test-services/redis.ts";
import { subject } from "../src/domain/customer-service/desk-hint.ts";
import { DeskHub } from "../src/domain/customer-service/desk-hub.ts";
import { startRedisProcesses } from "./support/redis-processes.ts";
import { until } from "./support/redis-topologies.ts";

const program = await findRedisServer(process.env.PATH ?? "");
const ANN = subject("visitor", "v_ann");
const SHOP = subject("app", "app_shop");

describe("hints of the desk between processes", { skip: program === undefined ? "needs redis-server" : false }, () => {
  /** A Redis, a process that tells and one that listens. */
  async function worldOf(t: TestContext) {
    const opened = new AsyncDisposableStack();
    t.after(() => opened.disposeAsync());
    const { client, connect } = await startRedisProcesses(program ?? "", opened);
    const begin = async () => {
      const coordination = await connect();
      const hub = new DeskHub(coordination);
      const heard: string[] = [];
      hub.listen((appId, hint, subjects) => heard.push(`${appId} ${hint.type} for ${subjects.join(", ")}`));
      return { hub, coordination, heard };
    };
    const channels = async () => (await client.pubsub("CHANNELS", "*/*")) as string[];
    return { channels, here: await begin(), there: await begin() };
  }

  test("reach a process that watches what they are about, and no other", async (t) => {
    const { channels, here, there } = await worldOf(t);
    await there.hub.attend(t, [ANN]);
    assert.deepEqual(await channels(), ["test:desk-visitor/v_ann"]);
    here.hub.messageStored("app_shop", "v_ben", 1);
    here.hub.agentsChanged("app_shop", ["u_carol"]);
    here.hub.read("app_shop", "v_ann", 1, "AGENT");
    await until(async () => there.heard.length > 0);
    assert.deepEqual(there.heard, [`app_shop read for ${ANN}`]);
    // The process where it happens needs no message.
    assert.deepEqual(here.heard, [
      `app_shop message for ${subject("visitor", "v_ben")}`,
      `app_shop agents for ${SHOP}, ${subject("member", "u_carol")}`,
      `app_shop read for ${SHOP}, ${ANN}`,
    ]);
  });

  test("name the one subject that was heard, so that who watches another one is not told twice", async (t) => {
    const { here, there } = await worldOf(t);
    await there.hub.attend(t, [ANN, SHOP]);
    here.hub.visitorSignedOut("app_shop", "v_ann");
    await until(async () => there.heard.length === 2);
    assert.deepEqual(there.heard.sort(), [`app_shop visitor for ${SHOP}`, `app_shop visitor for ${ANN}`]);
  });

  test("come until the last in a process has ended watching", async (t) => {
    const { channels, here, there } = await worldOf(t);
    const [feeds, news] = [{}, {}];
    await Promise.all([there.hub.attend(feeds, [ANN]), there.hub.attend(feeds, [ANN]), there.hub.attend(news, [ANN])]);
    there.hub.ignore(feeds, [ANN]);
    there.hub.ignore(feeds, [ANN]);
    here.hub.messageStored("app_shop", "v_ann", 1);
    await until(async () => there.heard.length > 0);
    there.hub.ignore(news, [ANN]);
    await until(async () => (await channels()).length === 0);
  });

  test("of a version that tells everything to every process are heard, too", async (t) => {
    const { here, there } = await worldOf(t);
    const hint = { type: "message", visitorId: "v_ann", seq: 1 };
    here.coordination.publish("desk", JSON.stringify({ from: "earlier", appId: "app_shop", hint }));
    await until(async () => there.heard.length > 0);
    assert.deepEqual(there.heard, [`app_shop message for ${ANN}`]);
  });

  test("of a queue that goes on stay in a process that can go on, and leave one that cannot", async (t) => {
    const { here, there } = await worldOf(t);
    here.hub.recheck("app_shop");
    assert.deepEqual(here.heard, ["app_shop recheck for "]);
    const provisioning = new DeskHub(here.coordination);
    provisioning.recheck("app_other");
    await until(async () => there.heard.length > 0);
    assert.deepEqual(there.heard, ["app_other recheck for "]);
  });
});
