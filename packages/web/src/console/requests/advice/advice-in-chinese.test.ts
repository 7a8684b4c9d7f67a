import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUSINESS_RULE_NAMES, type CallRefusal } from "@portico/protocol";
import { CARD_MESSAGES, type CardRule, TABLE_COLUMN_SUGGESTION } from "@portico/protocol/cards";
import { FORM_PROBLEMS, SCHEMA_PROBLEMS } from "@portico/protocol/schemas";
import { adviceInChinese } from "./advice-in-chinese.ts";

const TIME = 1_767_225_600_000;
const SIGNATURE = {
  lines: [{ name: "method", value: "POST" }],
  truncated: false,
  bodyHash: "",
  bodyLength: 0,
  contentType: "multipart/form-data",
  received: { length: 10, form: "Base64" },
  mistakes: [],
};
const TIMESTAMP = { serverTime: TIME, windowMs: 300_000 };

/** Refusals by every check, with everything that changes what is said of it. */
const REFUSALS: readonly CallRefusal[] = [
  { check: "connection", details: null },
  { check: "body-size", details: { maxBytes: 1_000, contentLength: null } },
  { check: "pace", details: { leastBytesPerSecond: 100, windowMs: 1_000 } },
  { check: "headers", details: { header: "X-Open-Nonce", problem: "missing", maxLength: null } },
  { check: "headers", details: { header: "X-Open-Nonce", problem: "too-long", maxLength: 64 } },
  { check: "timestamp", details: { ...TIMESTAMP, received: "soon", clockSkewMs: null } },
  { check: "timestamp", details: { ...TIMESTAMP, received: String(TIME / 1_000), clockSkewMs: -TIME } },
  { check: "timestamp", details: { ...TIMESTAMP, received: String(TIME - 3_600_000), clockSkewMs: -3_600_000 } },
  { check: "application", details: { appId: "app_x" } },
  { check: "app-state", details: { status: "DISABLED" } },
  ...(["unknown", "expired"] as const).map((problem) => ({
    check: "credential" as const,
    details: { credentialId: "cred_x", problem, rotatedAt: null, graceEndedAt: null },
  })),
  { check: "signature", details: SIGNATURE },
  { check: "signature", details: { ...SIGNATURE, lines: [] } },
  { check: "signature", details: { ...SIGNATURE, mistakes: null } },
  { check: "nonce", details: { nonce: "n", seenAt: null, refusedUntil: null, lifetimeMs: 1 } },
  ...(["minute", "day", "concurrent", "bytes"] as const).map((exceeded) => ({
    check: "quota" as const,
    details: { exceeded, limit: 1, used: 1, resetAt: null, retryAfterSeconds: 1 },
  })),
  { check: "scope", details: { scope: "bot.message.send" } },
  { check: "accept", details: { received: "text/html" } },
  { check: "content-type", details: { received: null, expected: "application/json" } },
  ...SCHEMA_PROBLEMS.flatMap((problem) =>
    ["", "/content", null].map((pointer) => ({
      check: "schema" as const,
      details: { field: pointer === "" ? null : "content", pointer, problem, expected: "at most 64 characters long" },
    })),
  ),
  ...FORM_PROBLEMS.map((problem) => ({ check: "form" as const, details: { problem } })),
  ...Object.keys(CARD_MESSAGES).map((rule) => ({
    check: "card" as const,
    details: { rule: rule as CardRule, pointer: "", suggestion: "Write it otherwise." },
  })),
  { check: "card", details: { rule: "component-tag", pointer: "/a", suggestion: TABLE_COLUMN_SUGGESTION } },
  { check: "business", details: null },
  ...BUSINESS_RULE_NAMES.map((rule) => ({
    check: "business" as const,
    details: { rule, pointer: "/receiveId", facts: { installation: "NONE" } },
  })),
  { check: "capacity", details: null },
  { check: "internal", details: null },
];

describe("advice in Chinese", () => {
  it("of a column of a table names both ways out", () => {
    const details = { rule: "component-tag", pointer: "/a", suggestion: TABLE_COLUMN_SUGGESTION } as const;
    assert.match(adviceInChinese({ check: "card", details }).join(), /"tag": "text".*rows/);
  });

  for (const refusal of REFUSALS) {
    it(`${refusal.check} ${JSON.stringify(refusal.details)}`, () => {
      const advice = adviceInChinese(refusal);
      assert.ok(advice.length > 0);
      for (const each of advice) {
        assert.match(each, /\p{Script=Han}.*[。；]$/u);
        assert.doesNotMatch(each, /undefined|null|\b(?:the|is|of|at most)\b/);
      }
    });
  }
});
