import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CONSOLE_ERRORS } from "../errors/index.ts";
import { CONSOLE_ENDPOINTS, type ConsoleEndpoint, consoleErrorsOf, OPERATOR_ENDPOINTS } from "./index.ts";

const BASE = "/api/open/console/v1/";
const consoleCalls: [string, ConsoleEndpoint][] = Object.entries(CONSOLE_ENDPOINTS);
const operatorCalls: [string, ConsoleEndpoint][] = Object.entries(OPERATOR_ENDPOINTS);
const all = [...consoleCalls, ...operatorCalls];

describe("the endpoints of the console API", () => {
  test("are below the console's base path, operators' ones below operator, and no two are the same call", () => {
    for (const [name, { path }] of all) assert.ok(path.startsWith(BASE), name);
    for (const [name, { path, access }] of all) {
      assert.equal(path.startsWith(`${BASE}operator/`), access === "operator", name);
    }
    const calls = all.map(([, { method, path }]) => `${method} ${path}`);
    assert.deepEqual(calls, [...new Set(calls)]);
  });
  test("belong to the operators' list if only operators may call them, and else to the console's", () => {
    assert.ok(operatorCalls.every(([, { access }]) => access === "operator"));
    assert.ok(consoleCalls.every(([, { access }]) => access !== "operator"));
  });
  test("have an application in the path when it decides who may call", () => {
    for (const [name, { path, access }] of all) {
      if (access === "viewer" || access === "owner") assert.match(path, /\/apps\/:appId\b/, name);
    }
  });
  test("together list every row of the console's error table", () => {
    const answered = new Set<string>(all.flatMap(([, endpoint]) => consoleErrorsOf(endpoint)));
    const unanswered = Object.keys(CONSOLE_ERRORS).filter((errorCode) => !answered.has(errorCode));
    assert.deepEqual(unanswered, []);
  });
  test("do not repeat errors that follow from access, and list none twice", () => {
    for (const [name, endpoint] of all) {
      const general = consoleErrorsOf({ ...endpoint, errors: [] });
      assert.deepEqual(consoleErrorsOf(endpoint), [...general, ...endpoint.errors], name);
    }
  });
});
