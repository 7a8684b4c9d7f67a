import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type DemoService, printedJson, startDemoService } from "./demo-service.ts";

const [BOT, DESK, MINI] = ["app_demo_bot", "app_demo_service", "app_demo_mini"];
const CARD = { schema: "2.0", body: { elements: [{ tag: "markdown", content: "Build **7**" }] } };

describe("jobs of the command line, at the service as it is", () => {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService();
  });
  after(() => demo[Symbol.asyncDispose]());

  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await demo.portico(args);
    assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const json = async (...args: string[]) => printedJson(await demo.portico([...args, "--json"]));
  const refused = async (expected: RegExp, ...args: string[]) => {
    const { code, stderr } = await demo.portico(args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, expected);
  };

  test("say writes as a member, and mentions the bot", async () => {
    assert.match(await ok("say", "group:g_demo", "is it green?", "--mention", BOT), /^messageId \d+ {2}msgSeq \d+\n$/);
    const [delivery] = (await json("deliveries", BOT)).items;
    assert.equal(delivery.eventType, "im.message.receive_v1");
    const first = await json("say", `bot:${BOT}`, "once", "--client-message-id", "once-1");
    assert.deepEqual(await json("say", `bot:${BOT}`, "once", "--client-message-id", "once-1"), first);
    await refused(/Check the ids, and that the member belongs to the conversation/, "say", "group:g_none", "x");
  });

  test("install and uninstall say where the bot is", async () => {
    assert.equal(await ok("install", BOT, "bob"), "USER  u_bob  ACTIVE  Bob\n");
    assert.equal((await json("uninstall", BOT, "user:u_bob")).status, "UNINSTALLED");
    assert.match(await ok("uninstall", BOT, "group:g_demo"), /^GROUP {2}g_demo {2}UNINSTALLED/);
    assert.match(await ok("install", BOT, "group:g_demo"), /^GROUP {2}g_demo {2}ACTIVE/);
    await refused(/Check the app's id, and the member's username/, "install", BOT, "nobody");
  });

  test("miniapp-code opens a mini-program for a code that its app can exchange", async () => {
    const code = (await ok("miniapp-code", MINI)).trim();
    const { provision, cli } = JSON.parse(await demo.read("data/demo.json"));
    const mini = provision.apps.find(({ appId }: { appId: string }) => appId === MINI);
    const profile = JSON.stringify({ ...mini.credentials[0], appId: MINI, baseUrl: cli.baseUrl });
    await demo.write("mini.json", profile);
    assert.match(await ok("miniapp-session", code, "--profile", "mini.json"), /^openId /);
    await refused(/it must be an ACTIVE mini-program/, "miniapp-code", BOT);
  });

  test("apps update changes the profile and the origins", async () => {
    const updated = await ok("apps", "update", DESK, "--name", "Desk", "--origin", "https://shop.example.com");
    assert.match(updated, /^name +Desk$/m);
    assert.match(updated, /^origins +https:\/\/shop\.example\.com$/m);
    assert.deepEqual((await json("apps", "update", DESK, "--no-origins")).allowedOrigins, []);
    assert.match(await ok("apps", "update", DESK, "--anonymous-visitors", "on"), /^anonymous visitors +on$/m);
    assert.equal((await json("apps", "update", DESK, "--anonymous-visitors", "off")).anonymousVisitors, false);
    assert.match(await ok("audit", DESK, "--action", "app.update"), / Dev +app\.update +app:app_demo_service /);
  });

  test("agents are listed, added with a bound, and removed", async () => {
    assert.match(await ok("agents", DESK), /^bob +up to \d+ +Bob$/m);
    assert.match(await ok("agents", DESK, "--add", "alice", "--max-sessions", "3"), /^alice +up to 3 +Alice$/m);
    assert.equal(await ok("agents", DESK, "--remove", "alice"), `alice no longer serves the visitors of ${DESK}\n`);
    assert.equal((await json("agents", DESK)).length, 2);
    await ok("agents", DESK, "--add", "alice");
    assert.equal((await json("agents", DESK, "--remove", "alice")).length, 2);
    await refused(/^refused: 40\d /, "agents", BOT);
  });

  test("visitors are listed, disabled and enabled", async () => {
    const { visitorId } = await json("customer", "auth", "c-77", "--nickname", "Ann");
    assert.match(
      await ok("visitors", DESK, "--keyword", "ann"),
      new RegExp(`^${visitorId} +c-77 +enabled .* Ann$`, "m"),
    );
    assert.equal(await ok("visitors", DESK, "--disable", visitorId), `${visitorId} is disabled\n`);
    assert.equal((await json("visitors", DESK, "--status", "disabled")).total, 1);
    assert.equal(await ok("visitors", DESK, "--enable", visitorId), `${visitorId} is enabled\n`);
    assert.equal(await ok("visitors", DESK, "--status", "disabled"), "no visitors\n");
  });

  test("desk shows who is there, who waits, and how visitors were served", async () => {
    const { visitorId } = await json("customer", "auth", "c-desk");
    const { sessionId } = await json("customer", "open", visitorId, "--agent", "bob");
    await ok("customer", "close", String(sessionId));
    const shown = await ok("desk", DESK, "--days", "1");
    assert.match(shown, /^conversations +\d+ opened, \d+ closed$/m);
    assert.match(shown, /^bob +offline +\d+ of \d+ +[1-9]\d* +- +\d+ s \(\d+ s\) +- +Bob$/m);
    assert.ok((await json("desk", DESK)).closed >= 1);
    await refused(/31/, "desk", DESK, "--days", "32");
    await refused(/^refused: 40\d /, "desk", BOT);
  });

  test("canned replies are imported, from another app too, changed by their shortcut, and removed", async () => {
    assert.equal(await ok("canned-replies", DESK), "no canned replies\n");
    const replies = [
      { shortcut: "hello", text: "Hello {{visitor.nickname}}" },
      { shortcut: "再见", text: "两行\n文字" },
    ];
    await demo.write("replies.json", JSON.stringify(replies));
    const load = (file: string) => ok("canned-replies", DESK, "--import", file);
    assert.equal(await load("replies.json"), "2 added, 0 changed, 0 as they were\n");
    await demo.write("exported.json", await ok("canned-replies", DESK, "--json"));
    assert.equal(await load("exported.json"), "0 added, 0 changed, 2 as they were\n");
    await demo.write("replies.json", JSON.stringify([{ shortcut: "HELLO", text: "Good day" }]));
    assert.equal(await load("replies.json"), "0 added, 1 changed, 0 as they were\n");
    assert.match(await ok("canned-replies", DESK), /^HELLO +\S+ +Dev +Good day$/m);
    assert.equal(
      await ok("canned-replies", DESK, "--remove", "hello"),
      `/hello is no longer a canned reply of ${DESK}\n`,
    );
    assert.equal((await json("canned-replies", DESK, "--remove", "再见")).total, 0);
    await refused(/has no canned reply \/hello/, "canned-replies", DESK, "--remove", "hello");
    await demo.write("replies.json", JSON.stringify([{ shortcut: "a b", text: "x" }]));
    await refused(/shortcut/, "canned-replies", DESK, "--import", "replies.json");
    await demo.write("replies.json", JSON.stringify([{ shortcut: "a" }]));
    const { code, stderr } = await demo.portico(["canned-replies", DESK, "--import", "replies.json"]);
    assert.equal(code, 2);
    assert.match(stderr, /replies\.json: \[0\] must have/);
    await refused(/^refused: 40\d /, "canned-replies", BOT);
  });

  test("templates are pushed, pulled and compared", async () => {
    await demo.write("card.json", JSON.stringify(CARD));
    const { cardId, version } = await json("templates", "push", BOT, "card.json", "--name", "Build");
    assert.match(await ok("templates", "list", BOT), new RegExp(`^${cardId} +${version} .* Dev +Build$`, "m"));
    assert.equal(await ok("templates", "pull", BOT, cardId), `${JSON.stringify(CARD, null, 2)}\n`);
    assert.match(await ok("templates", "diff", BOT, cardId, "card.json"), /^card\.json is version 1 of "Build"\n$/);
    const exact = '{"schema":"2.0","body":{"elements":[{"tag":"hr","10":1.50,"2":-0,"n":12345678901234567890}]}}';
    await demo.write("exact.json", `${exact}\n`);
    const { cardId: exactId } = await json("templates", "push", BOT, "exact.json", "--name", "Exact");
    assert.equal((await ok("templates", "pull", BOT, exactId)).replace(/\s/g, ""), exact);
    await ok("templates", "diff", BOT, exactId, "exact.json");
    const { messageId } = await json("send", "--to", "group:g_demo", "--card", "exact.json");
    await ok("card", "update", String(messageId), "exact.json");
    await demo.write("exact.json", exact.replace("1.50", "1.5"));
    await refused(/differs from version 1/, "templates", "diff", BOT, exactId, "exact.json");
    await demo.write("card.json", JSON.stringify(CARD).replace("7", "8"));
    const { code, stdout } = await demo.portico(["templates", "diff", BOT, cardId, "card.json"]);
    assert.equal(code, 1);
    assert.match(stdout, /^- +"content": "Build \*\*7\*\*"$\n^\+ +"content": "Build \*\*8\*\*"$/m);
    assert.match(
      await ok("templates", "push", BOT, "card.json", "--id", cardId, "--version", "1"),
      / version 2 {2}Build/,
    );
    await refused(
      /Somebody has saved the template since/,
      "templates",
      "push",
      BOT,
      "card.json",
      "--id",
      cardId,
      "--version",
      "1",
    );
    await ok("templates", "pull", BOT, cardId, "pulled.json");
    assert.deepEqual(JSON.parse(await demo.read("pulled.json")), JSON.parse(await demo.read("card.json")));
  });

  test("operators keep tenants, members and groups", async () => {
    assert.match(await ok("tenants"), /^t_demo +Demo$/m);
    await demo.write("pw", "ann's password\n");
    assert.match(
      await ok("members", "add", "ann", "--name", "Ann", "--member-password-file", "pw", "--id", "u_ann"),
      /^user +u_ann$/m,
    );
    assert.match(await ok("members", "--keyword", "ann"), /^u_ann +ann +enabled +- +Ann$/m);
    assert.match(
      await ok("groups", "g_new", "--create", "New", "--add", "ann", "--add", "bob"),
      /^members +ann, bob$/m,
    );
    assert.match(await ok("groups", "g_new", "--remove", "u_bob"), /^members +ann$/m);
    assert.match(await ok("groups"), /^g_new +1 +New$/m);
    const said = ["say", "group:g_new", "hi", "--tenant", "t_demo", "--user", "ann", "--password-file", "pw"];
    await ok(...said);
    assert.match(await ok("members", "update", "u_ann", "--disable"), /^state +disabled$/m);
    await refused(/Check tenant, username and password/, ...said);
    await ok("tenants", "--create", "Acme", "--id", "t_acme");
    const several = await demo.portico(["members"]);
    assert.equal(several.code, 2);
    assert.match(several.stderr, /--tenant is missing: there are several tenants/);
    assert.equal(await ok("members", "--tenant", "t_acme"), "no members\n");
    assert.match(await ok("tenants", "--rename", "t_acme", "--name", "Acme Ltd"), /^name +Acme Ltd$/m);
  });

  test("quota is shown to developers, and set by operators; audit has both logs", async () => {
    assert.match(await ok("quota", BOT), /^calls a minute +6000 \(the default\)$/m);
    assert.match(await ok("quota", BOT, "--per-minute", "600"), /^calls a minute +600$/m);
    const { perMinute, concurrent, isDefault } = await json("quota", BOT, "--concurrent", "5");
    assert.deepEqual([perMinute, concurrent, isDefault.perDay], [600, 5, true]);
    assert.match(await ok("quota", BOT, "--per-minute", "default"), /^calls a minute +6000 \(the default\)$/m);
    const [newest] = (await json("audit", "--action", "quota.set", "--limit", "1")).items;
    assert.equal(newest.appId, BOT);
    assert.match(await ok("audit", BOT, "--limit", "1"), /^more: add --before \d+ to the options$/m);
  });
});
