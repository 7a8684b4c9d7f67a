import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  APP_STATES,
  APP_TYPES,
  type AppType,
  defaultScopes,
  isScope,
  SCOPE_NAMES,
  SCOPES,
  scopeAllowedFor,
} from "./scopes.ts";

/** The table of docs/contract/applications.md#scopes, with the only application type that may hold each scope. */
const TABLE = [
  ["customer.agent.read", true, "low", "CUSTOMER_SERVICE"],
  ["bot.profile.read", true, "low", "BOT"],
  ["bot.installation.read", true, "low", "BOT"],
  ["customer.visitor.manage", false, "high", "CUSTOMER_SERVICE"],
  ["customer.session.manage", false, "high", "CUSTOMER_SERVICE"],
  ["customer.message.send", false, "high", "CUSTOMER_SERVICE"],
  ["customer.message.read", false, "high", "CUSTOMER_SERVICE"],
  ["bot.message.send", false, "high", "BOT"],
  ["bot.message.reply", false, "high", "BOT"],
  ["event.bot.message", false, "high", "BOT"],
  ["event.customer.message", false, "high", "CUSTOMER_SERVICE"],
  ["event.customer.session", false, "high", "CUSTOMER_SERVICE"],
  ["event.customer.agent", false, "low", "CUSTOMER_SERVICE"],
] as const;

describe("scope table", () => {
  for (const [scope, defaultGranted, risk, appType] of TABLE) {
    test(`${scope}: default granted ${defaultGranted ? "yes" : "no"}, risk ${risk}`, () => {
      assert.ok(isScope(scope));
      assert.equal(SCOPES[scope].defaultGranted, defaultGranted);
      assert.equal(SCOPES[scope].risk, risk);
    });
    test(`${scope}: only applications of type ${appType} may hold it`, () => {
      assert.deepEqual(
        APP_TYPES.filter((type) => scopeAllowedFor(scope, type)),
        [appType],
      );
    });
  }
  test("the table has these rows and no other", () => {
    assert.deepEqual(
      SCOPE_NAMES,
      TABLE.map(([scope]) => scope),
    );
  });
  for (const name of [
    "",
    "bot",
    "bot.message",
    "BOT.MESSAGE.SEND",
    "bot.message.send ",
    "card.interaction",
    "__proto__",
    "constructor",
  ]) {
    test(`${JSON.stringify(name)} is not a scope`, () => {
      assert.ok(!isScope(name));
    });
  }
});

describe("application types and states", () => {
  test("the types are BOT, CUSTOMER_SERVICE and MINI_PROGRAM", () => {
    assert.deepEqual(APP_TYPES, ["BOT", "CUSTOMER_SERVICE", "MINI_PROGRAM"]);
  });
  test("the states are UNPUBLISHED, IN_REVIEW, ACTIVE and DISABLED", () => {
    assert.deepEqual(APP_STATES, ["UNPUBLISHED", "IN_REVIEW", "ACTIVE", "DISABLED"]);
  });
  const defaults: Record<AppType, string[]> = {
    BOT: ["bot.profile.read", "bot.installation.read"],
    CUSTOMER_SERVICE: ["customer.agent.read"],
    MINI_PROGRAM: [],
  };
  for (const type of APP_TYPES) {
    test(`an application of type ${type} starts with ${defaults[type].join(" and ") || "no scope"}`, () => {
      assert.deepEqual(defaultScopes(type), defaults[type]);
    });
  }
});
