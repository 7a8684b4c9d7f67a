import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isKept, phasesOf } from "./attempt-phases.ts";

const NONE = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

describe("the phases of an attempt", () => {
  test("it went over an open connection if it has an address that was not looked up, with TLS or without", () => {
    const made = { address: "127.0.0.1", status: 200, reason: null, durationMs: 5 };
    assert.equal(isKept({ ...made, phases: { ...NONE, dnsMs: 1, connectMs: 1, firstByteMs: 2 } }), false);
    assert.equal(isKept({ ...made, phases: { ...NONE, dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 2 } }), false);
    assert.equal(isKept({ ...made, phases: { ...NONE, firstByteMs: 2 } }), true);
    assert.equal(isKept({ ...made, status: null, reason: "connection-reset", phases: NONE }), true);
    assert.equal(isKept({ ...made, address: null, status: null, reason: "dns", phases: NONE }), false);
  });

  test("a request without TLS that was not answered in time failed while it waited", () => {
    const phases = { ...NONE, dnsMs: 1, connectMs: 1 };
    const made = { address: "127.0.0.1", status: null, reason: "read-timeout", durationMs: 8_002 };
    const failed = phasesOf({ ...made, phases }).filter((each) => each.failed);
    assert.deepEqual(failed, [{ phase: "wait", ms: 8_000, failed: true }]);
  });
});
