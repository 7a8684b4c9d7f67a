import assert from "node:assert/strict";
import { auditOf } from "./support/audit.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, fellow, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { serviceApp } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_shop";

onBothEngines("console: the sites of an application's widget", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(serviceApp(APP, { profile: {} }), ownedApp("app_bot")));
  const change = async (allowedOrigins: unknown, appId = APP) =>
    (await ConsoleClient.logIn(world())).call("PATCH", `apps/${appId}`, { allowedOrigins });
  const read = async () => (await (await ConsoleClient.logIn(world(), fellow)).ok("GET", `apps/${APP}`)).allowedOrigins;

  test("the list is empty at first; origins are normalized and deduplicated, and each change is audited", async () => {
    assert.deepEqual(await read(), []);
    const given = [
      "https://Shop.Example:443/",
      "https://shop.example",
      "HTTP://b.example:8080",
      "https://例子.example",
    ];
    const normal = ["http://b.example:8080", "https://shop.example", "https://xn--fsqu00a.example"];
    assert.deepEqual((await change(given)).json.allowedOrigins, normal);
    assert.deepEqual(await read(), normal);
    assert.equal((await change([...normal].reverse())).status, 200);
    assert.deepEqual((await change([])).json.allowedOrigins, []);
    assert.deepEqual(await read(), []);
    const entries = await auditOf(world(), APP);
    assert.deepEqual(
      entries.map(({ action, before, after }) => [
        action,
        (before as { allowedOrigins: string[] }).allowedOrigins,
        (after as { allowedOrigins: string[] }).allowedOrigins,
      ]),
      [
        ["app.update", [], normal],
        ["app.update", normal, []],
      ],
    );
  });
  test("a change of the name keeps the origins", async () => {
    await change(["https://shop.example"]);
    const client = await ConsoleClient.logIn(world());
    const edited = await client.ok("PATCH", `apps/${APP}`, { displayName: "Shop" });
    assert.deepEqual([edited.displayName, edited.allowedOrigins], ["Shop", ["https://shop.example"]]);
  });
  for (const origin of [
    "",
    "*",
    "null",
    "shop.example",
    "//shop.example",
    "ftp://shop.example",
    "file:///",
    "https://",
    "https://*.example",
    "https://shop.example/path",
    "https://shop.example//",
    "https://shop.example?",
    "https://shop.example#",
    "https://user@shop.example",
    "https://shop.example:99999",
    "https://shop.example\\",
    " https://shop.example",
    "https://shop example",
    "javascript:alert(1)",
    "https://a;script-src-elem",
    "https://a,b.example",
    "https://a'b.example",
    "https://a(b).example",
    `https://${"x".repeat(300)}.example`,
    "https://sh\0p.example",
    7,
    null,
  ]) {
    test(`${JSON.stringify(origin).slice(0, 30)} is not an origin: 400`, async () => {
      const before = await read();
      assertConsoleRefused(await change(["https://fine.example", origin]), 400);
      assert.deepEqual(await read(), before);
    });
  }
  test("50 origins are the maximum", async () => {
    const origins = Array.from({ length: 51 }, (_, n) => `https://s${n}.example`);
    assertConsoleRefused(await change(origins), 400);
    assert.equal((await change(origins.slice(1))).json.allowedOrigins.length, 50);
    assertConsoleRefused(await change("https://shop.example"), 400);
  });
  test("an application of another type has no widget: 409", async () => {
    assertConsoleRefused(await change([], "app_bot"), 409, "只有CUSTOMER_SERVICE类型的应用有访客组件");
    const client = await ConsoleClient.logIn(world());
    assert.deepEqual((await client.ok("GET", "apps/app_bot")).allowedOrigins, []);
  });
});
