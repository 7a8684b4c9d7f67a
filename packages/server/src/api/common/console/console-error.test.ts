import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiError, CONSOLE_ERRORS, englishOf, errorRow, fault, isErrorCode } from "@portico/protocol";
import Fastify from "fastify";
import { noRoom } from "../../../platform/disk/free-space.ts";
import { Unavailable } from "../../../platform/errors/unavailable.ts";
import { RequestAborted } from "../../../platform/http/raw-body.ts";
import { readUnreadBodies } from "../../../platform/http/unread-bodies.ts";
import { ConsoleError, sendConsoleFailure } from "./console-error.ts";

const NOW = Date.UTC(2026, 9, 1);

async function answerTo(error: unknown) {
  const server = Fastify();
  readUnreadBodies(server);
  server.decorateRequest("trace", null as never);
  server.addHook("onRequest", async (request) => Object.assign(request, { trace: {} }));
  server.setErrorHandler((thrown, request, reply) => sendConsoleFailure(request, reply, thrown, NOW));
  server.get("/here", () => Promise.reject(error));
  const answer = await server.inject("/here?there");
  await server.close();
  return answer;
}

describe("a failure of the console API", () => {
  for (const [what, error, status, errorCode] of [
    ["an error of its own", new ConsoleError("APP_NOT_FOUND"), 404, "APP_NOT_FOUND"],
    ["one with a value", new ConsoleError(fault("APPS_TOO_MANY", { max: 9 })), 409, "APPS_TOO_MANY"],
    ["an error that all APIs have", new ApiError("NOT_SIGNED_IN"), 401, "NOT_SIGNED_IN"],
    ["a field that is wrong", new ApiError(fault("FIELD_MISSING", { field: "a" })), 400, "FIELD_MISSING"],
    ["a full disk", noRoom(), 429, "DISK_FULL"],
    ["a request that was cut off", new RequestAborted("gone"), 400, "INVALID_REQUEST"],
    ["what the service stands on being away", new Unavailable("away"), 500, "INTERNAL"],
    ["an unknown error", new Error("the secret cause"), 500, "INTERNAL"],
    ["what is no error", "the secret cause", 500, "INTERNAL"],
  ] as const) {
    test(`${what} is answered with its errorCode and a message from the tables only`, async () => {
      const answer = await answerTo(error);
      assert.equal(answer.statusCode, status);
      const body = answer.json();
      assert.deepEqual(Object.keys(body), ["timestamp", "status", "error", "message", "path", "errorCode"]);
      assert.deepEqual([body.status, body.path, body.errorCode], [status, "/here", errorCode]);
      assert.ok(isErrorCode(body.errorCode));
      assert.equal(errorRow(body.errorCode).status, status);
      assert.notEqual(englishOf(body), undefined);
    });
  }
  test("an error with a message outside the tables is a type error", () => {
    // @ts-expect-error words of its own
    assert.throws(() => new ConsoleError("应用不见了"));
    // @ts-expect-error a status and words
    assert.throws(() => new ConsoleError(404, "应用不见了"));
    // @ts-expect-error its words name a value
    const withoutValue = () => new ConsoleError("APPS_TOO_MANY");
    // @ts-expect-error an error of all APIs is an ApiError
    const ofAll = () => new ConsoleError("NOT_SIGNED_IN");
    assert.equal([withoutValue, ofAll].length, 2);
  });
  test("its errors have the statuses of the contract's framework", () => {
    const statuses = new Set(Object.values(CONSOLE_ERRORS).map(({ status }) => status));
    assert.deepEqual([...statuses].toSorted(), [400, 401, 403, 404, 409, 429, 503]);
  });
});
