import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test as plainTest } from "node:test";
import {
  BUSINESS_RULE_NAMES,
  type BusinessRule,
  defaultScopes,
  ERRORS,
  errorRow,
  type FormProblem,
  isErrorCode,
  type RequestExplanation,
} from "@portico/protocol";
import { formErrors, OPEN_CALL_ERRORS, OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { FORM_PROBLEMS, SCHEMA_PROBLEMS } from "@portico/protocol/schemas";
import { APPS, alice, botApp, call, INSTALLATIONS, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { cardOf, HELLO, recallCard, reply, sendCard, sendMessage, sentId, updateCard } from "./support/card-acme.ts";
import { ConsoleClient, consoleAcme, ownedApp, owner } from "./support/console.ts";
import { CustomerClient, customerApp, visitorOf } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { explanationOf } from "./support/explanations.ts";
import type { Answer } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { exchange, miniApp, newCode } from "./support/miniapp.ts";
import { FORM_TYPE, filePart, form, PIXEL, upload, uploadKey } from "./support/uploads.ts";
import { suiteWorld } from "./support/world.ts";

/** A refused call and its explanation. */
interface Row {
  appId?: string;
  ask: () => Promise<Answer>;
  status: number;
  check: RequestExplanation["check"];
  details: object;
  /** Matches the hints of this row and of no other. */
  says: RegExp;
}

const FIELD = {
  head: 'Content-Disposition: form-data; name="file"; filename="a.png"',
  type: "Content-Type: image/png",
};
const CLOSE = Buffer.from("------portico-test-7d93b1--\r\n");

onBothEngines("every refusal of the open API has an explanation of its own", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      ownedApp("app_bot"),
      ownedApp("app_nowhere", { installations: [] }),
      ownedApp("app_left"),
      ownedApp("app_bare", { scopes: defaultScopes("BOT") }),
      botApp("app_two"),
      customerApp("app_desk", { owner: owner.phone, agents: ["alice"] }),
      miniApp("app_mini"),
      miniApp("app_other_mini"),
    ),
  );
  const desk = new CustomerClient(world, "app_desk");
  const ann = visitorOf("app_desk", "ann");
  const dora = visitorOf("app_desk", "dora");
  const sendBody = (body: string | Buffer) => call(world(), "app_bot", { method: "POST", target: MESSAGES, body });
  const sendAs = (msgType: string, content: unknown) => sendMessage(world(), "app_bot", msgType, content);
  const uploadForm = (body: Buffer, type = FORM_TYPE) =>
    upload(world(), "app_bot", body, { headers: { "content-type": type } });

  const explain = async (row: Row): Promise<RequestExplanation> => {
    const answer = await row.ask();
    assert.equal(answer.status, row.status, answer.text);
    const appId = row.appId ?? "app_bot";
    const explanation = await explanationOf(await ConsoleClient.logIn(world()), appId, answer.json.reqNo);
    assert.equal(explanation.check, row.check, answer.text);
    assert.deepEqual(explanation.details, row.details);
    assert.ok(explanation.hints.length > 0);
    return explanation;
  };
  /** Asserts that each row's hints match its `says`, and that no other row's do. */
  const assertTold = async (rows: Record<string, Row>) => {
    const hints = new Map<string, string>();
    for (const [name, row] of Object.entries(rows)) hints.set(name, (await explain(row)).hints.join("\n"));
    for (const [name, { says }] of Object.entries(rows)) {
      const told = [...hints].filter(([, text]) => says.test(text)).map(([other]) => other);
      assert.deepEqual(told, [name], `${says} in ${hints.get(name)}`);
    }
  };
  const broken = (rule: BusinessRule, pointer: string | null = null, facts: object = {}) =>
    ({ check: "business", details: { rule, pointer, facts } }) as const;

  test("for each business rule", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const text = await sentId(sendText(world(), "app_bot", "no card"));
    const card = await sentId(sendCard(world(), "app_bot", cardOf(HELLO)));
    const foreign = await sentId(sendCard(world(), "app_two", cardOf(HELLO)));
    const said = { msgType: "text", content: { text: "hi", mentions: ["app_bot"] } };
    const heard = await sentId(member.post("conversations/group:g_team/messages", said));
    const document = await uploadKey(world(), "app_bot", { mimeType: "text/plain" });
    const old = await uploadKey(world(), "app_bot");
    const oldExpiry = world().clock.now() + 600_000;
    world().clock.turn(600_000);
    const closed = await desk.newSession();
    await desk.post("session/close", { sessionId: closed.sessionId });
    const waiting = await desk.newSession();
    const code = await newCode(await MemberClient.signIn(world(), alice), "app_other_mini");
    const picture = (key: string) => sendCard(world(), "app_bot", cardOf(HELLO, { tag: "img", img_key: key }));
    const fresh = await uploadKey(world(), "app_bot", { mimeType: "text/plain" });
    assert.notEqual(fresh, document);
    await world().portico.ctx.storage.write(async (tx) => {
      await tx
        .updateTable("installations")
        .set({ status: "UNINSTALLED" })
        .where("app_id", "=", "app_left")
        .where("target_type", "=", "GROUP")
        .execute();
    });
    const facts = (targetType: string, installation: string) => ({ targetType, installation });
    const rows: Record<BusinessRule, Row> = {
      "bot-not-installed": {
        appId: "app_nowhere",
        ask: () => sendText(world(), "app_nowhere", "hi"),
        status: 403,
        ...broken("bot-not-installed", "/receiveId", facts("GROUP", "NONE")),
        says: /Install the bot in the conversation/,
      },
      "file-unusable": {
        ask: () => sendAs("file", { fileKey: old }),
        status: 403,
        ...broken("file-unusable", "/content/fileKey", { problem: "expired", expiredAt: oldExpiry }),
        says: /Upload the file again/,
      },
      "message-not-delivered": {
        ask: () => reply(world(), "app_bot", foreign),
        status: 403,
        ...broken("message-not-delivered"),
        says: /Reply to messages that this application got an event of/,
      },
      "message-not-sent": {
        ask: () => recallCard(world(), "app_bot", foreign),
        status: 403,
        ...broken("message-not-sent"),
        says: /recalls the cards that it sent itself/,
      },
      "reply-target": {
        ask: () => reply(world(), "app_bot", heard, { receiveIdType: "user_id", receiveId: "u_alice" }),
        status: 403,
        ...broken("reply-target", "/receiveId"),
        says: /conversation of the message it answers/,
      },
      "not-a-card": {
        ask: () => updateCard(world(), "app_bot", text, { card: cardOf(HELLO) }),
        status: 400,
        ...broken("not-a-card", null, { msgType: "text" }),
        says: /sent as text/,
      },
      "template-unknown": {
        ask: () => sendAs("card", { cardId: "tpl_x" }),
        status: 400,
        ...broken("template-unknown", "/content/cardId"),
        says: /no card template/,
      },
      "not-a-picture": {
        ask: () => picture(fresh),
        status: 400,
        ...broken("not-a-picture", "/content/card/body/elements/1/img_key", { mimeType: "text/plain" }),
        says: /uploaded as text\/plain/,
      },
      "card-version": {
        ask: () => updateCard(world(), "app_bot", card, { card: cardOf(HELLO), version: 7 }),
        status: 500,
        ...broken("card-version", "/version", { given: 7, current: 1 }),
        says: /has version 1; the call asked for version 7/,
      },
      "login-code": {
        appId: "app_mini",
        ask: () => exchange(world(), "app_mini", code),
        status: 403,
        ...broken("login-code", "/code", { problem: "other-application" }),
        says: /made for another application/,
      },
      "other-application": {
        appId: "app_desk",
        ask: () => desk.post("visitor/auth", { thirdUserId: "c-9", appId: "app_bot" }),
        status: 401,
        ...broken("other-application", "/appId"),
        says: /appId in the body/,
      },
      "visitor-unknown": {
        appId: "app_desk",
        ask: () => desk.post("message/send", { visitorId: "v_x", content: "x" }),
        status: 404,
        ...broken("visitor-unknown", "/visitorId"),
        says: /no visitor of this visitorId/,
      },
      "visitor-disabled": {
        appId: "app_desk",
        ask: () => desk.post("message/send", { visitorId: dora, content: "x" }),
        status: 403,
        ...broken("visitor-disabled", "/visitorId"),
        says: /disabled this visitor/,
      },
      "session-unknown": {
        appId: "app_desk",
        ask: () => desk.get("session/info", { sessionId: "abc" }),
        status: 404,
        ...broken("session-unknown"),
        says: /has to be a session of this application's/,
      },
      "session-not-closed": {
        appId: "app_desk",
        ask: () => desk.post("session/close", { sessionId: 999_999 }),
        status: 404,
        ...broken("session-not-closed", "/sessionId"),
        says: /tells a visitor's currentSessionId/,
      },
      "agent-unknown": {
        appId: "app_desk",
        ask: () => desk.post("agent/message/send", { visitorId: ann, agentId: "carol", content: "x" }),
        status: 404,
        ...broken("agent-unknown", "/agentId"),
        says: /agentId is the user name/,
      },
      "assignment-failed": {
        appId: "app_desk",
        ask: () => desk.post("agent/assign", { sessionId: waiting.sessionId }),
        status: 409,
        ...broken("assignment-failed", "/agentId", { problem: "nobody-free" }),
        says: /No agent is online/,
      },
    };
    assert.deepEqual(Object.keys(rows).sort(), [...BUSINESS_RULE_NAMES].sort());
    await assertTold({
      ...rows,
      "bot-not-installed, any more": {
        ...rows["bot-not-installed"],
        appId: "app_left",
        ask: () => sendText(world(), "app_left", "hi"),
        details: broken("bot-not-installed", "/receiveId", facts("GROUP", "UNINSTALLED")).details,
        says: /has been uninstalled/,
      },
      "bot-not-installed": { ...rows["bot-not-installed"], says: /has never been installed there/ },
      "file-unusable": { ...rows["file-unusable"], says: /has expired\.\n/ },
      "file-unusable, in a card": {
        ...rows["file-unusable"],
        ask: () => picture("file_nobodys"),
        details: broken("file-unusable", "/content/card/body/elements/1/img_key", {
          problem: "no-such-file",
          expiredAt: null,
        }).details,
        says: /has no such file/,
      },
      "assignment-failed, of a closed session": {
        ...rows["assignment-failed"],
        ask: () => desk.post("agent/assign", { sessionId: closed.sessionId }),
        details: broken("assignment-failed", "/sessionId", { problem: "session-closed" }).details,
        says: /The session is closed/,
      },
    });
  });

  test("for each fault of a body or a parameter", async () => {
    const schema = (problem: string, pointer: string | null, expected: string | null, field: string | null) =>
      ({ status: 400, check: "schema", details: { field, pointer, problem, expected } }) as const;
    const rows: Record<string, Row> = {
      missing: {
        ask: () => sendBody(textBody("x", { receiveId: undefined })),
        ...schema("missing", "/receiveId", null, "receiveId"),
        says: /\/receiveId in the body is missing/,
      },
      "missing, as content": {
        ask: () => sendAs("text", {}),
        ...schema("missing", "/content/text", null, "content.text"),
        says: /\/content\/text in the body is missing/,
      },
      type: {
        ask: () => sendAs("text", { text: 7 }),
        ...schema("type", "/content/text", "of type string", "content.text"),
        says: /\/content\/text in the body has to be of type string/,
      },
      value: {
        ask: () => sendBody(textBody("x", { receiveIdType: "chat_id" })),
        ...schema("value", "/receiveIdType", "one of group_id, user_id", "receiveIdType"),
        says: /one of group_id, user_id/,
      },
      "value, of a parameter": {
        ask: () => call(world(), "app_bot", { target: `${INSTALLATIONS}?targetType=PLANET` }),
        ...schema("value", null, "one of GROUP, USER", "targetType"),
        says: /The parameter targetType has to be one of GROUP, USER/,
      },
      repeated: {
        ask: () => call(world(), "app_bot", { target: `${INSTALLATIONS}?targetType=USER&targetType=USER` }),
        ...schema("repeated", null, "given once", "targetType"),
        says: /The parameter targetType has to be given once/,
      },
      length: {
        ask: () => sendBody(textBody("x", { clientMessageId: "x".repeat(65) })),
        ...schema("length", "/clientMessageId", "at most 64 characters long", "clientMessageId"),
        says: /at most 64 characters/,
      },
      range: {
        ask: () => sendAs("image", { fileKey: "x", width: -1, height: 1 }),
        ...schema("range", "/content/width", "from 0 to 1000000", "content.width"),
        says: /from 0 to 1000000/,
      },
      characters: {
        ask: () => sendBody(textBody("x", { receiveId: "g\0" })),
        ...schema("characters", "/receiveId", null, "receiveId"),
        says: /NUL and lone surrogates/,
      },
      "not-utf8": {
        ask: () => sendBody(Buffer.from([0x7b, 0xff])),
        ...schema("not-utf8", "", null, null),
        says: /not UTF-8/,
      },
      "not-json": { ask: () => sendBody("{"), ...schema("not-json", "", null, null), says: /no JSON/ },
      "missing, as a whole": {
        ask: () => call(world(), "app_bot", { method: "POST", target: MESSAGES, headers: JSON_TYPE }),
        ...schema("missing", "", null, null),
        says: /body is empty/,
      },
      "type, of a path's id": {
        ask: () => recallCard(world(), "app_bot", "abc"),
        ...schema("type", null, "an integer", "messageId"),
        says: /messageId has to be an integer/,
      },
      "a card's rule": {
        ask: () => sendCard(world(), "app_bot", cardOf({ tag: "plain_txt" })),
        status: 400,
        check: "card",
        details: {
          rule: "component-tag",
          pointer: "/content/card/body/elements/0/tag",
          suggestion: 'Did you mean "plain_text"?',
        },
        says: /At \/content\/card\/body\/elements\/0\/tag: Did you mean "plain_text"/,
      },
      "a card's rule, on an update": {
        ask: async () => {
          const messageId = await sentId(sendCard(world(), "app_bot", cardOf(HELLO)));
          return updateCard(world(), "app_bot", messageId, { card: { schema: "2.0" } });
        },
        status: 400,
        check: "card",
        details: { rule: "body", pointer: "/card/body", suggestion: 'Add "body": {"elements": [...]}.' },
        says: /At \/card\/body: Add "body"/,
      },
    };
    for (const problem of SCHEMA_PROBLEMS.filter((problem) => problem !== "other")) assert.ok(rows[problem], problem);
    await assertTold(rows);
  });

  test("for each fault of an upload", async () => {
    const head = (...headers: string[]) => form({ headers, body: PIXEL });
    const many = (count: number, body: string) =>
      form(
        ...Array.from({ length: count }, (_, n) => ({ headers: [`Content-Disposition: form-data; name=n${n}`], body })),
      );
    const ask: Record<FormProblem, [ask: () => Promise<Answer>, says: RegExp]> = {
      boundary: [() => uploadForm(form(filePart()), "multipart/form-data"), /Name the boundary/],
      "cut-off": [() => uploadForm(form(filePart()).subarray(0, -CLOSE.length)), /closing delimiter/],
      "line-breaks": [
        () => uploadForm(Buffer.from(form(filePart()).toString("latin1").replaceAll("\r", ""))),
        /is CRLF/,
      ],
      "part-head": [() => uploadForm(head("no header")), /head of a part cannot be read/],
      "part-count": [() => uploadForm(many(33, "x")), /other parts are ignored/],
      "other-parts": [() => uploadForm(many(2, "x".repeat(600 * 1_024))), /the other parts hold is too much/],
      encoding: [
        () => uploadForm(head(FIELD.head, FIELD.type, "Content-Transfer-Encoding: base64")),
        /without Content-Transfer-Encoding/,
      ],
      "no-file": [() => uploadForm(form()), /no part with name="file"/],
      "several-files": [() => uploadForm(form(filePart(), filePart())), /One upload takes one file/],
      "file-size": [
        () => uploadForm(form(filePart({ content: Buffer.alloc(20 * 1_024 * 1_024 + 1) }))),
        /A file may have 20 MiB/,
      ],
    };
    const rows = FORM_PROBLEMS.map((problem): [string, Row] => {
      const [asked, says] = ask[problem];
      return [problem, { ask: asked, status: 400, check: "form", details: { problem }, says }];
    });
    await assertTold(Object.fromEntries(rows));
  });

  test("a malformed id in the path is refused after the nonce was used and the scope checked", async () => {
    const nonce = randomUUID();
    const target = `${MESSAGES}/abc/card`;
    const body = JSON.stringify({ card: cardOf(HELLO) });
    assertRefused(await call(world(), "app_bot", { method: "PUT", target, body, nonce }), 400, "400006");
    assertRefused(await call(world(), "app_bot", { method: "PUT", target, body, nonce }), 401, "400001");
    assertRefused(await call(world(), "app_bare", { method: "PUT", target, body }), 403, "400007");
  });

  test("a version conflict does not count as a failure of the service, in the log or in the metrics", async (t) => {
    const { log } = world().portico.ctx;
    const failures = t.mock.method(log, "error");
    const card = await sentId(sendCard(world(), "app_bot", cardOf(HELLO)));
    const refused = await updateCard(world(), "app_bot", card, { card: cardOf(HELLO), version: 3 });
    assertRefused(refused, 500, "500000", "服务内部错误,请稍后重试");
    const explanation = await explanationOf(await ConsoleClient.logIn(world()), "app_bot", refused.json.reqNo);
    assert.equal(explanation.reason, "the card has version 1, not 3");
    assert.equal(failures.mock.callCount(), 0);
    const counted = await world().portico.ctx.metrics.registry.metrics();
    assert.match(counted, /code="500000 card-version"/);
    assert.doesNotMatch(counted, /code="500000"/);
  });
  test("the explanation says in words whether the clock is ahead or behind", async () => {
    for (const [off, words] of [
      [-3_600_002, "3600002 ms behind the server"],
      [400_000, "400000 ms ahead of the server"],
    ] as const) {
      const answer = await call(world(), "app_bot", { target: APPS, timestamp: world().clock.now() + off });
      const { reason } = await explanationOf(await ConsoleClient.logIn(world()), "app_bot", answer.json.reqNo);
      assert.equal(reason, `400004 the timestamp is ${words}`);
    }
  });
  test("the explanation of a repeated nonce never shows a first use later than the refused call, even if the timestamp was ahead", async () => {
    const nonce = randomUUID();
    const timestamp = world().clock.now() + 200_000;
    await call(world(), "app_bot", { target: APPS, nonce, timestamp });
    const answer = await call(world(), "app_bot", { target: APPS, nonce, timestamp });
    const { at, details } = await explanationOf(await ConsoleClient.logIn(world()), "app_bot", answer.json.reqNo);
    assert.ok(details !== null && "seenAt" in details && details.seenAt !== null && details.refusedUntil !== null);
    assert.ok(details.seenAt <= at);
    assert.ok(details.refusedUntil >= timestamp + 300_000);
  });
});

const JSON_TYPE = { "content-type": "application/json" };

/** Parts of the source that no call of an application reaches: the APIs of people. */
const APIS_OF_PEOPLE = ["api/client", "api/common/console", "api/console", "api/desk", "api/operator", "api/widget"];

/** The errors that a call of the open API can answer with. */
const OPEN_ERRORS: ReadonlySet<string> = new Set([
  ...Object.keys(ERRORS),
  ...OPEN_CALL_ERRORS,
  ...Object.values(OPEN_ENDPOINTS).flatMap((endpoint) => [...endpoint.errors, ...formErrors(endpoint)]),
]);

/** Lack of room has no check that could be named, and an internal error no reason that could be shown. */
function needsExplanation(errorCode: string): boolean {
  if (!OPEN_ERRORS.has(errorCode) || errorCode === "INTERNAL") return false;
  return !isErrorCode(errorCode) || errorRow(errorCode).kind !== "QUOTA_EXCEEDED";
}

plainTest("code that refuses a call of the open API says which check refused it", () => {
  const source = join(import.meta.dirname, "../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) => !APIS_OF_PEOPLE.some((folder) => file.startsWith(`${folder}/`)))
    .sort();
  const unexplained = files.flatMap((file) => {
    const text = readFileSync(join(source, file), "utf8");
    const thrown = [...text.matchAll(/new ApiError\((?:fault\()?"(\w+)"/g)].map(([, errorCode = ""]) => errorCode);
    return thrown.filter(needsExplanation).map((errorCode) => `${file}: ${errorCode}`);
  });
  // The routes of people share the first file; only the widget's calls reach the second.
  assert.deepEqual(unexplained, [
    "api/common/result-route.ts: UNSUPPORTED_MEDIA_TYPE",
    "domain/customer-service/anonymous-visitors.ts: VISITOR_DISABLED",
  ]);
});
