import type { ClientMessage } from "@portico/protocol";
import { alice, call, MESSAGES } from "./acme.ts";
import type { Answer, SignedSending } from "./http.ts";
import { MemberClient } from "./member.ts";
import { type FormFile, PIXEL } from "./uploads.ts";
import type { World } from "./world.ts";

/** The target of sends that do not go to the team. */
export const TO_ALICE = { receiveIdType: "user_id", receiveId: "u_alice" };

/** The simplest component. */
export const HELLO = { tag: "text", text: "hello" };

/** A card with these elements. */
export function cardOf(...elements: unknown[]) {
  return { schema: "2.0", body: { elements } };
}

/** `levels` nested containers. */
function nestedForms(levels: number): unknown {
  let elements: unknown[] = [];
  for (let level = 0; level < levels; level++) elements = [{ tag: "form", elements }];
  return elements[0];
}

/** A card whose compact JSON has exactly `bytes` bytes, nearly all of them in three-byte characters. */
function cardOfBytes(bytes: number) {
  const rest = bytes - Buffer.byteLength(JSON.stringify(cardOf({ tag: "text", text: "" })));
  return cardOf({ tag: "text", text: "字".repeat(Math.floor(rest / 3)) + "a".repeat(rest % 3) });
}

/** Sends a message to the team, unless `other` names another target. */
export function sendMessage(
  world: World,
  appId: string,
  msgType: string,
  content: unknown,
  other: Record<string, unknown> = {},
): Promise<Answer> {
  const body = { receiveIdType: "group_id", receiveId: "g_team", msgType, content, ...other };
  return call(world, appId, { method: "POST", target: MESSAGES, body: JSON.stringify(body) });
}

/** Sends a card to the team, unless `other` names another target. */
export function sendCard(
  world: World,
  appId: string,
  card: unknown,
  other: Record<string, unknown> = {},
): Promise<Answer> {
  return sendMessage(world, appId, "card", { card }, other);
}

/** The messageId in the answer of a send; throws when the send was refused. */
export async function sentId(answer: Promise<Answer>): Promise<number> {
  const { status, text, json } = await answer;
  if (status !== 200) throw new Error(`the send was answered with ${text}`);
  return json.value.messageId;
}

/** PUT of a card; `body` is `{card, version}`, or JSON text. */
export function updateCard(
  world: World,
  appId: string,
  messageId: number | string,
  body: unknown,
  other: Partial<SignedSending> = {},
): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return call(world, appId, { method: "PUT", target: `${MESSAGES}/${messageId}/card`, body: text, ...other });
}

/** DELETE of a card. */
export function recallCard(world: World, appId: string, messageId: number | string): Promise<Answer> {
  return call(world, appId, { method: "DELETE", target: `${MESSAGES}/${messageId}/card` });
}

/** Replies to the team with a text, unless `other` says otherwise. */
export function reply(
  world: World,
  appId: string,
  messageId: number | string,
  other: Record<string, unknown> = {},
): Promise<Answer> {
  const text = { msgType: "text", content: { text: "a reply" } };
  const body = JSON.stringify({ receiveIdType: "group_id", receiveId: "g_team", ...text, ...other });
  return call(world, appId, { method: "POST", target: `${MESSAGES}/${messageId}/reply`, body });
}

/** Uploads a file as a member and returns its fileKey. */
export async function uploadAsMember(
  member: MemberClient,
  { content = PIXEL, fileName = "a.png", mimeType = "image/png" }: FormFile = {},
): Promise<string> {
  const file = new Blob([new Uint8Array(Buffer.from(content))], { type: mimeType });
  return (await member.api.uploadFile({ file, fileName })).fileKey;
}

/** The message with this id as alice sees it; throws when she does not see it. */
export async function seen(world: World, messageId: number, conversationId = "group:g_team"): Promise<ClientMessage> {
  const member = await MemberClient.signIn(world, alice);
  const message = (await member.history(conversationId)).find((message) => message.messageId === messageId);
  if (message === undefined) throw new Error(`message ${messageId} is not in ${conversationId}`);
  return message;
}

/** The contract's error messages for cards, each with cards that cause it. */
export const BROKEN_CARDS: [message: string, ...cards: unknown[]][] = [
  [
    "仅支持schema为2.0的卡片",
    {},
    { body: { elements: [] } },
    { ...cardOf(HELLO), schema: 2 },
    { ...cardOf(HELLO), schema: "2.00" },
  ],
  ["card.body不能为空", { schema: "2.0" }, { schema: "2.0", body: null }, { schema: "2.0", body: [HELLO] }],
  ["card.body.elements必须为数组", { schema: "2.0", body: {} }, { schema: "2.0", body: { elements: HELLO } }],
  ["卡片组件必须为对象", cardOf("text"), cardOf(null), cardOf({ tag: "form", elements: [[HELLO]] })],
  ["不支持的卡片组件: div", cardOf({ tag: "div" }), cardOf({ tag: "column", actions: [HELLO, { tag: "div" }] })],
  ["不支持的卡片组件: null", cardOf({ text: "x" })],
  [
    "卡片组件不能超过200个",
    cardOf(...Array(201).fill(HELLO)),
    cardOf({ tag: "form", elements: Array(200).fill(HELLO) }),
  ],
  ["卡片组件嵌套层级不能超过8", cardOf(nestedForms(9)), cardOf(HELLO, nestedForms(500))],
  [
    "卡片链接仅支持HTTP/HTTPS地址",
    cardOf({ tag: "button", url: "javascript:alert(1)" }),
    cardOf({ tag: "img", img_url: "data:image/png;base64,AA==" }),
    cardOf({ tag: "icon", src: 7 }),
    cardOf({ tag: "button", action: { url: "HTTPS://example.com" } }),
  ],
  ["卡片JSON不能超过64KiB", cardOfBytes(65_537), { ...cardOf(HELLO), config: { x: "y".repeat(65_536) } }],
  ["card image img_key不能为空", cardOf({ tag: "img" }), cardOf({ tag: "image", img_key: "" })],
];

/** Cards at the limits of the rules. */
export const SOUND_CARDS: [what: string, card: unknown][] = [
  ["no components", cardOf()],
  ["200 components", cardOf(...Array(200).fill(HELLO))],
  ["8 nested forms", cardOf(nestedForms(8))],
  ["65,536 bytes", cardOfBytes(65_536)],
  [
    "attributes that the service does not parse",
    {
      ...cardOf({ ...HELLO, value: { deep: [[{}]] }, actions: null, action: "x", url: null }),
      header: { title: { content: "T", i18n: { "zh-CN": "标题" } }, template: null },
      config: { locales: ["zh-CN"], width_mode: "fill", elements: "x" },
      card_link: { url: "javascript:not judged" },
      "": { schema: 7 },
    },
  ],
];
