import assert from "node:assert/strict";
import { sweepFiles } from "../src/domain/files/sweep.ts";
import { acme, alice, botApp } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { cardOf, HELLO, seen, sendCard, sendMessage, sentId, updateCard, uploadAsMember } from "./support/card-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { apply } from "./support/provisioning.ts";
import { PIXEL, uploadKey } from "./support/uploads.ts";
import { suiteWorld } from "./support/world.ts";

const FILE_KEY_TTL_MS = 600_000;
const HTTP = "http://example.com/a.png";
const HTTPS = "https://example.com/a.png?b=c#d";
/** Status, code and message. */
type Refusal = readonly [status: number, code: string, message: string];

const MISSING: Refusal = [400, "400006", "card image img_key不能为空"];
const UNUSABLE: Refusal = [403, "400008", "fileKey无效或已过期"];
const NO_IMAGE: Refusal = [400, "400006", "card image img_key必须引用图片文件"];
const BAD_LINK: Refusal = [400, "400006", "卡片链接仅支持HTTP/HTTPS地址"];

/** A component as members see it. */
type Image = Record<string, unknown>;

onBothEngines("card images", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_two")));
  const uploaded = (mimeType = "image/png", content = PIXEL) => uploadKey(world(), "app_bot", { mimeType, content });
  const sendImages = (...elements: unknown[]) => sendCard(world(), "app_bot", cardOf(...elements));
  /** Replaces the elements of a card that was sent before. */
  const updateTo = async (...elements: unknown[]) => {
    const messageId = await sentId(sendImages(HELLO));
    return updateCard(world(), "app_bot", messageId, { card: cardOf(...elements) });
  };
  const WAYS = [
    ["send", sendImages],
    ["update", updateTo],
  ] as const;
  /** The elements of a card, as members see it. */
  const elementsOf = async (answer: Answer): Promise<Image[]> => {
    assertSuccess(answer);
    const message = await seen(world(), answer.json.value.messageId);
    return (message.content as { card: { body: { elements: Image[] } } }).card.body.elements;
  };
  const assertServes = async (url: unknown, bytes = PIXEL) => {
    assert.match(String(url), /^http:\/\/localhost:\d+\/files\/[\w-]{20,}$/);
    const file = await send(String(url));
    assert.deepEqual([file.status, file.bytes], [200, bytes]);
  };

  for (const tag of ["img", "image"]) {
    for (const [way, put] of WAYS) {
      test(`${tag} with img_url: its img_key is ignored (${way})`, async () => {
        for (const img_key of [undefined, "file_unknown", "", 7, null]) {
          const image = { tag, img_url: HTTP, ...(img_key !== undefined && { img_key }) };
          assert.deepEqual(await elementsOf(await put(image)), [image]);
        }
      });
      test(`${tag} with url: its img_key is ignored (${way})`, async () => {
        for (const img_key of [undefined, "file_unknown", "", 7, null]) {
          const image = { tag, url: HTTPS, img_url: null, ...(img_key !== undefined && { img_key }) };
          assert.deepEqual(await elementsOf(await put(image)), [image]);
        }
      });
      test(`${tag} without img_key: ${MISSING[2]} (${way})`, async () => {
        for (const img_key of [undefined, null, "", 7, {}, ["x"]]) {
          for (const links of [{}, { img_url: null }, { url: null, img_url: null }]) {
            assertRefused(await put({ tag, img_key, ...links }), ...MISSING);
          }
        }
      });
      test(`${tag} whose img_key is a URL: it becomes the img_url (${way})`, async () => {
        for (const img_key of [HTTP, HTTPS, "http://", "https://内网/图.png"]) {
          const image = { tag, img_key, alt: { tag: "plain_text", content: "x" } };
          assert.deepEqual(await elementsOf(await put(image)), [{ ...image, img_url: img_key }]);
        }
      });
      test(`${tag} whose img_key is a fileKey: its absolute URL becomes the img_url, the img_key stays (${way})`, async () => {
        const image = { tag, img_key: await uploaded(), url: null, mode: "crop" };
        const [element] = await elementsOf(await put(image));
        const { img_url, ...rest } = element ?? {};
        assert.deepEqual(rest, image);
        await assertServes(img_url);
      });
      test(`${tag} whose img_key is unknown, expired or foreign: ${UNUSABLE[2]} (${way})`, async () => {
        const expired = await uploaded();
        world().clock.turn(FILE_KEY_TTL_MS);
        const valid = await uploaded();
        const members = await uploadAsMember(await MemberClient.signIn(world(), alice));
        const foreign = await uploadKey(world(), "app_two");
        const unknown = [
          "file_unknown",
          `${valid}x`,
          "HTTP://example.com",
          "ftp://x",
          "__proto__",
          "\0",
          "\ud800",
          " ",
        ];
        for (const img_key of [expired, members, foreign, ...unknown]) {
          assertRefused(await put({ tag, img_key }), ...UNUSABLE);
        }
      });
      test(`${tag} whose img_key is not an image: ${NO_IMAGE[2]} (${way})`, async () => {
        for (const mimeType of ["text/plain", "application/octet-stream", "video/mp4", "imagery/png", "x-image/png"]) {
          assertRefused(await put({ tag, img_key: await uploaded(mimeType) }), ...NO_IMAGE);
        }
        for (const mimeType of ["image/webp", "image/svg+xml", "image/x-unheard-of"]) {
          assertSuccess(await put({ tag, img_key: await uploaded(mimeType) }));
        }
      });
    }
  }
  test("a fileKey of 599.999 s passes, one of 600 s does not", async () => {
    const img_key = await uploaded();
    world().clock.turn(FILE_KEY_TTL_MS - 1);
    assertSuccess(await sendImages({ tag: "img", img_key }));
    world().clock.turn(1);
    assertRefused(await sendImages({ tag: "img", img_key }), ...UNUSABLE);
  });
  test("img_keys of other components, and of images that are not validated, stay unchanged", async () => {
    const elements = [
      { tag: "icon", img_key: "file_unknown" },
      { tag: "img_combination", img_list: [{ img_key: "file_unknown" }] },
      { tag: "form", elements: [HELLO], children: [{ tag: "img", img_key: "file_unknown" }, { tag: "img" }] },
      { tag: "note", icon: { tag: "img", img_key: "file_unknown" } },
    ];
    assert.deepEqual(await elementsOf(await sendImages(...elements)), elements);
  });
  test("inherited img_key properties are ignored", async () => {
    const elements = '[{"tag":"img","__proto__":{"img_url":"https://x","img_key":"file_unknown"}}]';
    const card = `{"schema":"2.0","body":{"elements":${elements}}}`;
    const messageId = await sentId(sendImages(HELLO));
    assertRefused(await updateCard(world(), "app_bot", messageId, `{"card":${card}}`), ...MISSING);
  });

  test("all images of a card are resolved, at any depth, also when a key is repeated", async () => {
    const files = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const content = Buffer.from(`picture ${n}`);
        return { content, img_key: await uploaded("image/gif", content) };
      }),
    );
    const [first, ...others] = files.map(({ img_key }) => ({ tag: "img", img_key }));
    const columns = others.map((image) => ({ tag: "column", elements: [image, first] }));
    const elements = await elementsOf(await sendImages(first, { tag: "column_set", columns }, HELLO, first));
    const shown = JSON.stringify(elements)
      .match(/\{[^{}]*"tag":"img"[^{}]*\}/g)
      ?.map((json): Image => JSON.parse(json));
    assert.equal(shown?.length, 24);
    for (const { img_key, img_url } of shown ?? []) {
      await assertServes(img_url, files.find((file) => file.img_key === img_key)?.content);
    }
    assert.equal(new Set(shown?.map(({ img_url }) => img_url)).size, 12);
  });
  test("the first invalid image in document order is reported", async () => {
    const good = { tag: "img", img_key: await uploaded() };
    const wrong = [
      [MISSING, { tag: "img" }],
      [UNUSABLE, { tag: "image", img_key: "file_unknown" }],
      [NO_IMAGE, { tag: "img", img_key: await uploaded("text/csv") }],
    ] as const;
    const inForm = (...elements: unknown[]) => ({ tag: "form", elements });
    for (const [refusal, first] of wrong) {
      for (const [, second] of wrong) {
        for (const elements of [
          [good, first, second],
          [inForm(good, inForm(first)), second],
          [inForm(inForm(HELLO), first, second), good],
          [first, inForm(second, good)],
        ]) {
          for (const [, put] of WAYS) assertRefused(await put(...elements), ...refusal);
        }
      }
    }
  });
  test("links, and all other rules, are checked before images, over the whole card", async () => {
    const images = [
      { tag: "img" },
      { tag: "img", img_key: "file_unknown" },
      { tag: "img", img_key: await uploaded("a/b") },
    ];
    for (const image of images) {
      for (const [, put] of WAYS) {
        assertRefused(await put(image, { tag: "button", url: "x" }), ...BAD_LINK);
        assertRefused(await put({ tag: "form", elements: [image] }, { tag: "img", img_url: "data:x" }), ...BAD_LINK);
        assertRefused(await put(image, { tag: "div" }), 400, "400006", "不支持的卡片组件: div");
        const long = { tag: "text", text: "x".repeat(65_536) };
        assertRefused(await put(image, long), 400, "400006", "卡片JSON不能超过64KiB");
      }
    }
  });
  test("the size of a card is checked before the URLs of its images are inserted", async () => {
    const image = { tag: "img", img_key: await uploaded() };
    const text = (length: number) => ({ tag: "text", text: "x".repeat(length) });
    const room = 65_536 - JSON.stringify(cardOf(image, text(0))).length;
    const [element] = await elementsOf(await sendImages(image, text(room)));
    await assertServes(element?.img_url);
    assertRefused(await sendImages(image, text(room + 1)), 400, "400006", "卡片JSON不能超过64KiB");
  });

  test("images of a template are resolved when it is sent, with the files of its application", async () => {
    const img_key = await uploaded();
    const template = (key: string) => ({ cardId: "tpl_1", version: 2, card: cardOf({ tag: "img", img_key: key }) });
    const sendTemplate = () => sendMessage(world(), "app_bot", "card", { cardId: "tpl_1" });
    await apply(world(), acme(botApp("app_bot", { cardTemplates: [template(img_key)] }), botApp("app_two")));
    const [element] = await elementsOf(await sendTemplate());
    assert.equal(element?.img_key, img_key);
    await assertServes(element?.img_url);
    world().clock.turn(FILE_KEY_TTL_MS);
    assertRefused(await sendTemplate(), ...UNUSABLE);
    await apply(world(), acme(botApp("app_bot", { cardTemplates: [template(HTTPS)] }), botApp("app_two")));
    assert.deepEqual(await elementsOf(await sendTemplate()), [{ tag: "img", img_key: HTTPS, img_url: HTTPS }]);
  });
  test("a repeated clientMessageId is answered even if the fileKeys have expired since", async () => {
    const card = cardOf({ tag: "img", img_key: await uploaded() });
    const first = await sendCard(world(), "app_bot", card, { clientMessageId: "with a picture" });
    world().clock.turn(FILE_KEY_TTL_MS);
    const repeat = await sendCard(world(), "app_bot", card, { clientMessageId: "with a picture" });
    assert.deepEqual(repeat.json.value, { ...first.json.value, duplicate: true });
  });
  for (const [way, put] of WAYS) {
    test(`an image in an updated card is kept beyond the expiry of its fileKey (${way})`, async () => {
      const [element] = await elementsOf(await put({ tag: "img", img_key: await uploaded() }));
      world().clock.turn(2 * FILE_KEY_TTL_MS);
      await sweepFiles(world().portico.ctx);
      await assertServes(element?.img_url);
    });
  }
  for (const [why, refuse] of [
    ["a link", (img: Image) => sendImages(img, { tag: "button", url: "x" })],
    ["its size", (img: Image) => sendImages(img, { tag: "text", text: "x".repeat(65_536) })],
    ["an image without img_key", (img: Image) => sendImages(img, { tag: "img" })],
    ["an unknown img_key", (img: Image) => sendImages(img, { tag: "img", img_key: "file_unknown" })],
    [
      "an img_key that is no image",
      async (img: Image) => sendImages(img, { tag: "img", img_key: await uploaded("a/b") }),
    ],
    ["its mentions", (img: Image) => sendMessage(world(), "app_bot", "card", { card: cardOf(img), mentions: 7 })],
    ["its target", (img: Image) => sendCard(world(), "app_bot", cardOf(img), { receiveId: "g_other" })],
    [
      "another version",
      async (img: Image) => {
        const messageId = await sentId(sendImages(HELLO));
        return updateCard(world(), "app_bot", messageId, { card: cardOf(img), version: 2 });
      },
    ],
  ] as const) {
    test(`a card refused for ${why} does not prevent its file from being swept`, async () => {
      const img_key = await uploaded();
      const isThere = async () => {
        const query = world().portico.ctx.storage.db.selectFrom("files").select("file_key");
        return (await query.where("file_key", "=", img_key).execute()).length === 1;
      };
      const answer = await refuse({ tag: "img", img_key });
      assert.notEqual(answer.status, 200);
      assert.ok(await isThere());
      world().clock.turn(2 * FILE_KEY_TTL_MS);
      await sweepFiles(world().portico.ctx);
      assert.ok(!(await isThere()));
    });
  }
  test("20 concurrent cards with the same two files, in either order, are all sent", async () => {
    const [a, b] = [await uploaded(), await uploaded()].map((img_key) => ({ tag: "img", img_key }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? sendImages(a, b) : updateTo(b, a))),
    );
    for (const answer of answers) assertSuccess(answer);
  });
});
