import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CARD_TAGS, EVENT_TYPES, MESSAGE_TYPES } from "@portico/protocol";
import { STREAM_PATHS } from "@portico/protocol/endpoints";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describeApi, describeCustomerService } from "../src/api/reference/api-document.ts";
import { API_PARTS } from "../src/api/reference/api-parts.ts";
import type { ApiDocument, Operation, Schema } from "../src/api/reference/openapi.ts";
import { acme, MESSAGES } from "./support/acme.ts";
import { sqlite } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const document = describeApi();
const customerService = describeCustomerService();

function operationAt(path: string, method: string): Operation {
  const operation = document.paths[path]?.[method];
  assert.ok(operation, `${method} ${path}`);
  return operation;
}

function model(name: string): Schema {
  const schema = document.components.schemas[name];
  assert.ok(schema, name);
  return schema;
}

/** The names of the errors that an operation says it answers. */
function errorsOf({ responses }: Operation): string[] {
  return Object.values(responses).flatMap(({ content }) => Object.keys(content?.["application/json"]?.examples ?? {}));
}

async function problemsOf(described: ApiDocument): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: JSON.stringify(described), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
}

describe("the API's description", () => {
  test("has no problem for a strict linter, nor has that of customer service: every example fits its schema", async () => {
    assert.deepEqual(await problemsOf(document), []);
    assert.deepEqual(await problemsOf(customerService), []);
  });

  test("the linter finds an example that does not fit", async () => {
    const changed = structuredClone(document);
    const media = changed.paths[MESSAGES]?.post?.requestBody?.content["application/json"];
    assert.ok(media);
    media.example = { receiveIdType: "nobody" };
    assert.notDeepEqual(await problemsOf(changed), []);
  });

  test("has every endpoint, stream and event", () => {
    for (const { endpoints } of API_PARTS) {
      for (const { method, path, summary } of Object.values(endpoints)) {
        assert.equal(operationAt(path.replaceAll(/:(\w+)/g, "{$1}"), method.toLowerCase()).summary, summary);
      }
    }
    for (const path of Object.values(STREAM_PATHS)) assert.ok(operationAt(path, "get").responses["101"], path);
    assert.deepEqual(Object.keys(document.webhooks ?? {}), EVENT_TYPES);
  });

  test("describes a message by its msgType, and a card by the tags of its components", () => {
    const types = (model("SendMessageBody").oneOf as { title: string }[]).map(({ title }) => title);
    assert.deepEqual(types, MESSAGE_TYPES);
    const { mapping } = model("CardComponent").discriminator as { mapping: Record<string, string> };
    assert.deepEqual(Object.keys(mapping).sort(), [...CARD_TAGS].sort());
  });

  test("has an example of each body that is sent, and of each answer", () => {
    for (const operations of [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})]) {
      for (const { operationId, requestBody, responses } of Object.values(operations)) {
        const bodies = [
          ...Object.values(requestBody?.content ?? {}),
          ...Object.values(responses["200"]?.content ?? {}),
        ];
        for (const { example } of bodies) assert.notEqual(example, undefined, operationId);
      }
    }
  });

  test("names the errors of each call, each with what it answers", () => {
    const errors = errorsOf(operationAt("/api/open/v2/bot/messages/{messageId}/reply", "post"));
    for (const code of ["REPLY_TARGET_MISMATCH", "FIELD_MISSING", "SCOPE_MISSING", "QUOTA_EXCEEDED", "INTERNAL"]) {
      assert.ok(errors.includes(code), code);
    }
    assert.deepEqual(document.components.examples.FIELD_MISSING?.value, {
      code: "400006",
      message: "receiveId不能为空",
      value: null,
      reqNo: "01JG0000000000000000000001",
    });
    const rotated = errorsOf(operationAt("/api/open/console/v1/apps/{appId}/credentials", "post"));
    assert.ok(rotated.includes("NOT_APP_OWNER"));
  });

  test("names only errors that concern the caller of the call", () => {
    const namesAt = (path: string, method: string, code: string) => errorsOf(operationAt(path, method)).includes(code);
    assert.equal(namesAt("/api/open/v2/miniapp/session", "post", "SCOPE_MISSING"), false);
    assert.equal(namesAt("/api/client/v1/auth/methods", "get", "NOT_SIGNED_IN"), false);
    assert.equal(namesAt("/api/open/console/v1/auth/login", "post", "NOT_SIGNED_IN"), false);
    assert.ok(namesAt("/api/client/v1/auth/refresh", "post", "NOT_SIGNED_IN"));
    assert.ok(namesAt("/api/client/v1/conversations", "get", "NOT_SIGNED_IN"));
    assert.equal(namesAt("/api/client/v1/conversations", "get", "QUOTA_EXCEEDED"), false);
  });

  test("names for each address of a sign-in with a provider only what can happen there", () => {
    for (const api of ["/api/client/v1", "/api/open/console/v1"]) {
      const start = JSON.stringify(operationAt(`${api}/auth/oidc/start`, "get").responses);
      const end = JSON.stringify(operationAt(`${api}/auth/oidc/callback`, "get").responses);
      assert.match(start, /address to open after signing in/);
      assert.doesNotMatch(start, /Your account is disabled|no sign-in under way/);
      assert.doesNotMatch(end, /address to open after signing in/);
      assert.match(end, /Your account is disabled/);
    }
  });

  test("says what holds: of look-ups that succeed, and of limits in the samples of errors", () => {
    for (const { tags } of [document, customerService]) {
      const { description = "" } = tags.find(({ name }) => name === "Customer service") ?? {};
      assert.match(description, /three calls, which answer 000000/);
      assert.doesNotMatch(description, /another code/);
    }
    const { examples } = document.components;
    for (const [name, limit] of [
      ["MENTIONS_TOO_MANY", "500"],
      ["UPLOAD_FILE_TOO_LARGE", "20MiB"],
      ["UPLOAD_PARTS_TOO_MANY", "32"],
      ["FIELD_TOO_LONG", "clientMessageId is too long: it may have at most 64"],
      ["FIELD_TOO_SHORT", "at least 8"],
      ["console.APPS_TOO_MANY", "200"],
      ["console.TEMPLATES_TOO_MANY", "500"],
      ["console.GROUP_MEMBERS_TOO_MANY", "5000"],
      ["console.EVENT_TYPE_UNKNOWN", EVENT_TYPES.join(", ")],
    ] as const) {
      assert.ok(examples[name]?.summary.includes(limit), `${name}: ${examples[name]?.summary}`);
    }
  });

  test("no message is left with a name in braces", () => {
    const messages = Object.values(document.components.examples).map(
      ({ summary, value }) => summary + JSON.stringify(value),
    );
    assert.deepEqual(
      messages.filter((message) => /\{\w+\}/.test(message)),
      [],
    );
  });

  test("says who may call: a signature, a token, a cookie or nobody in particular", () => {
    const securityOf = (path: string, method: string) => operationAt(path, method).security;
    assert.deepEqual(securityOf(MESSAGES, "post"), [{ "X-Open-App-Id": [] }]);
    assert.deepEqual(securityOf("/api/client/v1/conversations", "get"), [{ bearer: [] }]);
    assert.deepEqual(securityOf("/api/client/v1/auth/refresh", "post"), [{ memberCookie: [] }]);
    assert.deepEqual(securityOf("/api/open/console/v1/auth/login", "post"), []);
    const headers = operationAt(MESSAGES, "post").parameters ?? [];
    assert.deepEqual(
      headers.map((header) => ("$ref" in header ? header.$ref.split("/").at(-1) : header.name)),
      ["CredentialId", "Timestamp", "Nonce", "Signature"],
    );
  });

  test("customer service stands by itself, as version 1.0.0", () => {
    assert.equal(customerService.info.version, "1.0.0");
    const strangers = Object.keys(customerService.paths).filter((path) => !path.startsWith("/api/open/v1/"));
    assert.deepEqual(strangers, []);
  });
});

describe("the reference's files", () => {
  const world = suiteWorld(sqlite, acme());

  test("are served in the form that the client takes, and once", async () => {
    const url = `${world().url}/docs/json`;
    const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
    assert.equal(plain.headers.get("content-type"), "application/json; charset=utf-8");
    assert.deepEqual(await plain.json(), JSON.parse(JSON.stringify(document)));
    const etag = plain.headers.get("etag") ?? "";
    const again = await fetch(url, { headers: { "accept-encoding": "identity", "if-none-match": etag } });
    assert.equal(again.status, 304);
    const small = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    assert.equal(small.headers.get("content-encoding"), "gzip");
    assert.deepEqual(await small.json(), JSON.parse(JSON.stringify(document)));
    const other = await fetch(`${world().url}/docs/customer-service/json`);
    assert.equal(((await other.json()) as ApiDocument).info.title, customerService.info.title);
  });
});
