import assert from "node:assert/strict";
import { test } from "node:test";
import { startSettings } from "./start-settings.ts";

test("what npm start sets is read from its command", () => {
  const { env, flags } = startSettings();
  assert.ok(flags.some((flag) => /^--max-semi-space-size=\d+$/.test(flag)));
  assert.match(env.MALLOC_ARENA_MAX ?? "", /^\d+$/);
});
