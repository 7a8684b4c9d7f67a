import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ErrorCode, errorRow } from "@portico/protocol";
import { assertListedError } from "./support/listed-errors.ts";

/** A refusal of the console API, or, with a code, of an API that answers envelopes. */
function refusal(errorCode: ErrorCode, code?: string) {
  const { status, message } = errorRow(errorCode);
  return { status, json: code === undefined ? { message, errorCode } : { message, code, value: null } };
}

const LOGIN = "http://localhost/api/open/console/v1/auth/login";
const SCAN = "http://localhost/api/client/v1/qr/scan";

describe("a refusal that a test sees", () => {
  test("may be the endpoint's own error, one of its input, or one of every call", () => {
    for (const errorCode of ["DEVELOPER_LOGIN_WRONG", "BODY_NOT_JSON", "INTERNAL"] as const) {
      assertListedError("POST", `${LOGIN}?a=b`, refusal(errorCode));
    }
    assertListedError("POST", SCAN, refusal("QR_EXPIRED", "400008"));
  });
  test("must be listed", () => {
    assert.throws(() => assertListedError("POST", LOGIN, refusal("APPS_TOO_MANY")), /auth\/login lacks APPS_TOO_MANY/);
    const unlisted = refusal("BOT_UNAVAILABLE", "400008");
    assert.throws(() => assertListedError("POST", SCAN, unlisted), /qr\/scan lacks BOT_UNAVAILABLE/);
  });
  test("must be in the error tables", () => {
    assert.throws(() => assertListedError("POST", LOGIN, { status: 400, json: { message: "no", errorCode: "NO" } }));
  });
  test("is not checked at other addresses or in the HTTP server's own format", () => {
    assertListedError("POST", "http://localhost/other", refusal("APPS_TOO_MANY"));
    assertListedError("GET", LOGIN, refusal("APPS_TOO_MANY"));
    assertListedError("POST", LOGIN, { status: 404, json: { timestamp: "", status: 404, error: "Not Found" } });
  });
});
