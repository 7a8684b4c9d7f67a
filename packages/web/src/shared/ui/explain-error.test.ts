import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiRefusedError, ConsoleRefusedError, TransportError } from "@portico/protocol/client";
import { explainError } from "./explain-error.ts";

/** The keys of the texts stand for the texts. */
const explain = (error: unknown) => explainError(error, (key) => key, "en-US");
const refusal = { error: "", path: "/api/open/console/v1/apps", timestamp: "2026-11-23T03:04:05.678Z" };

describe("what a person is told of a failure", () => {
  it("names the number of the request where the API has one", () => {
    const error = new ApiRefusedError({
      httpStatus: 500,
      code: "500000",
      message: "系统内部错误",
      reqNo: "req-7",
      retryAfterSeconds: undefined,
    });
    const { todo, reference } = explain(error);
    assert.equal(todo, "errorServiceDoNumber");
    assert.deepEqual(reference, { kind: "requestNumber", text: "req-7" });
  });

  it("names path and time where the API has no numbers", () => {
    const { todo, reference } = explain(new ConsoleRefusedError({ ...refusal, status: 500 }, undefined));
    assert.equal(todo, "errorServiceDoPath");
    assert.deepEqual(reference, { kind: "calledPath", text: `${refusal.path} ${refusal.timestamp}` });
  });

  it("asks for nothing below where nothing is", () => {
    const bare = new ConsoleRefusedError({ status: 503, error: "Service Unavailable" }, undefined);
    const proxy = new TransportError("not the service's answer", { cause: undefined, httpStatus: 502 });
    for (const error of [bare, proxy]) {
      const { todo, reference } = explain(error);
      assert.equal(todo, "errorServiceDo");
      assert.equal(reference, undefined);
    }
  });

  it("gives no path for what the person can mend", () => {
    const error = new ConsoleRefusedError({ ...refusal, status: 400, message: "参数错误" }, undefined);
    assert.equal(explain(error).reference, undefined);
  });
});
