import assert from "node:assert/strict";
import { findWidget } from "../src/domain/applications/widget-store.ts";
import { pageOfReplies } from "../src/domain/customer-service/canned-reply-store.ts";
import { ProvisioningError } from "../src/domain/provisioning/provisioning-error.ts";
import type { AppEntry } from "../src/domain/provisioning/schema.ts";
import { dumpLasting } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { apply, example } from "./support/provisioning.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_ci";
const HOURS = { timeZone: "Europe/Berlin", days: [{ day: 1, from: "09:00", to: "17:00" }] };
const SERVICE: Partial<AppEntry> = {
  type: "CUSTOMER_SERVICE",
  scopes: ["customer.message.send"],
  installations: [],
  profile: { displayName: "Shop", allowedOrigins: ["https://shop.example"] },
  anonymousVisitors: true,
  widget: { greeting: "Good day", themeColor: "#112233", openingHours: HOURS },
  cannedReplies: [
    { shortcut: "Hello", text: "Hello {{visitor.nickname}}" },
    { shortcut: "bye", text: "Good bye" },
  ],
};

onBothEngines("provisioning: a widget and canned replies", (engine, test) => {
  const world = suiteWorld(engine, example(SERVICE));
  const db = () => world().portico.ctx.storage.db;
  const replies = async () =>
    (await pageOfReplies(db(), APP, { page: 1, pageSize: 100 })).map(({ shortcut, text, updatedBy }) => [
      shortcut,
      text,
      updatedBy,
    ]);
  const change = (other: Partial<AppEntry>) => apply(world(), example({ ...SERVICE, ...other }));

  test("one file makes a widget that needs nothing else", async () => {
    const { anonymousVisitors, widget } = await findWidget(db(), APP);
    assert.equal(anonymousVisitors, true);
    assert.deepEqual([widget.greeting, widget.themeColor, widget.position], ["Good day", "#112233", "right"]);
    assert.deepEqual(widget.openingHours, HOURS);
    assert.deepEqual(await replies(), [
      ["bye", "Good bye", "Dev"],
      ["Hello", "Hello {{visitor.nickname}}", "Dev"],
    ]);
  });

  test("applied again it changes nothing, and what people have changed stays, but for what is new in the file", async () => {
    const before = await dumpLasting(world());
    assert.equal((await change({})).applied, 0);
    assert.deepEqual(await dumpLasting(world()), before);
    await world().portico.ctx.storage.write(async (tx) => {
      await tx.updateTable("canned_replies").set({ text: "See you" }).where("shortcut_key", "=", "bye").execute();
      const settings = JSON.stringify({ greeting: "By people", position: "left" });
      await tx.updateTable("app_widgets").set({ settings, anonymous_visitors: 0 }).execute();
    });
    assert.equal((await change({ widget: { ...SERVICE.widget, themeColor: "#445566" } })).applied, 1);
    const { anonymousVisitors, widget } = await findWidget(db(), APP);
    assert.deepEqual(
      [anonymousVisitors, widget.greeting, widget.position, widget.themeColor],
      [false, "By people", "left", "#445566"],
    );
    assert.deepEqual((await replies())[0], ["bye", "See you", "Dev"]);
    const [hello] = SERVICE.cannedReplies ?? [];
    await change({ cannedReplies: [{ shortcut: "BYE", text: "Bye" }, ...(hello ? [hello] : [])] });
    assert.deepEqual(await replies(), [
      ["bye", "Bye", "Dev"],
      ["Hello", "Hello {{visitor.nickname}}", "Dev"],
    ]);
    await change({ cannedReplies: [] });
    assert.equal((await replies()).length, 2, "what is not in the file any more stays");
  });

  for (const [what, other, words] of [
    [
      "an application of another type with a widget",
      { type: "BOT", scopes: [], cannedReplies: [], widget: { greeting: "x" } },
      "has a widget",
    ],
    [
      "an unknown time zone",
      { widget: { openingHours: { ...HOURS, timeZone: "Mars/Base" } } },
      "timeZone is no time zone",
    ],
    [
      "a span that ends before it begins",
      { widget: { openingHours: { ...HOURS, days: [{ day: 2, from: "17:00", to: "09:00" }] } } },
      "days[0] ends before it begins",
    ],
    [
      "a blank reply",
      { cannedReplies: [{ shortcut: "x", text: " \u200b" }] },
      "cannedReplies[0].text must not be blank",
    ],
    [
      "a shortcut twice, in another case",
      {
        cannedReplies: [
          { shortcut: "a", text: "1" },
          { shortcut: "A", text: "2" },
        ],
      },
      "cannedReplies[1].shortcut",
    ],
    ["an unknown setting", { widget: { colour: "#000000" } }, "colour"],
  ] as [string, Partial<AppEntry>, string][]) {
    test(`${what} is refused, and nothing changes`, async () => {
      const before = await dumpLasting(world());
      await assert.rejects(
        async () => await change({ ...other, profile: { displayName: "Shop" } }),
        (error) => error instanceof ProvisioningError && error.message.includes(words),
      );
      assert.deepEqual(await dumpLasting(world()), before);
    });
  }
});
