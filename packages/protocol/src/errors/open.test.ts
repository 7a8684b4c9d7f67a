import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { failure, success } from "../envelope.ts";
import { ApiError, ERRORS, type ErrorKind, RETRYABLE_CODES, SUCCESS_CODE } from "./index.ts";

/** The table of docs/contract/errors.md, with the messages that the contract defines. */
const TABLE: [status: number, code: string, kind: ErrorKind, message?: string][] = [
  [400, "400006", "INVALID_REQUEST"],
  [401, "400001", "UNAUTHENTICATED"],
  [403, "400005", "APP_NOT_ACTIVE"],
  [403, "400007", "SCOPE_MISSING", "所需的开放平台Scope未被授权"],
  [403, "400008", "FORBIDDEN"],
  [403, "400101", "VISITOR_DISABLED", "访客已禁用"],
  [404, "400100", "VISITOR_NOT_FOUND", "访客不存在"],
  [404, "400300", "SESSION_NOT_FOUND", "会话不存在"],
  [404, "400401", "AGENT_NOT_FOUND", "客服账号不存在"],
  [406, "406001", "NOT_ACCEPTABLE"],
  [409, "400400", "ASSIGNMENT_FAILED", "分配客服失败"],
  [413, "413001", "BODY_TOO_LARGE"],
  [415, "415001", "UNSUPPORTED_MEDIA_TYPE"],
  [429, "429001", "QUOTA_EXCEEDED"],
  [500, "500000", "INTERNAL", "服务内部错误,请稍后重试"],
];

describe("error table", () => {
  for (const [status, code, kind, message] of TABLE) {
    test(`${status} ${code} is ${kind}`, () => {
      const error = new ApiError(kind);
      assert.deepEqual({ status: error.status, code: error.code }, { status, code });
      assert.equal(error.message, message ?? ERRORS[kind].message);
      assert.notEqual(error.message, "");
    });
  }
  test("the table has these rows and no other", () => {
    assert.deepEqual(Object.keys(ERRORS).sort(), TABLE.map(([, , kind]) => kind).sort());
  });
  test("internal codes and codes that are never returned have no row", () => {
    const codes = new Set<string>(Object.values(ERRORS).map(({ code }) => code));
    for (const never of ["400002", "400003", "400004", "400200", "400201", "429002", SUCCESS_CODE]) {
      assert.ok(!codes.has(never), never);
    }
  });
  test("only 500000 and 429001 may be retried", () => {
    assert.deepEqual([...RETRYABLE_CODES].sort(), ["429001", "500000"]);
  });
});

describe("ApiError", () => {
  test("it carries the message of its code, its reason, its cause and the seconds to wait", () => {
    const cause = new Error("the disk is full");
    const error = new ApiError("LOGINS_TOO_MANY", { reason: "minute", retryAfterSeconds: 7, cause });
    assert.ok(error instanceof Error);
    assert.equal(error.name, "ApiError");
    assert.deepEqual(
      [error.kind, error.message, error.reason, error.retryAfterSeconds, error.cause],
      ["QUOTA_EXCEEDED", "登录请求过多,请稍后再试", "minute", 7, cause],
    );
  });
});

describe("envelope", () => {
  test("a success has the code 000000 and the value", () => {
    assert.deepEqual(
      { ...success({ a: 1 }, "r1"), message: "" },
      { code: "000000", message: "", value: { a: 1 }, reqNo: "r1" },
    );
  });
  test("a failure has the code, the message and a value of null", () => {
    assert.deepEqual(failure("400006", "no", "r2"), { code: "400006", message: "no", value: null, reqNo: "r2" });
  });
});
