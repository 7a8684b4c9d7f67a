import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startSettings } from "./start-settings.ts";

test("what npm start sets is read from its command", () => {
  const { env, flags } = startSettings();
  assert.ok(flags.some((flag) => /^--max-semi-space-size=\d+$/.test(flag)));
  assert.match(env.MALLOC_ARENA_MAX ?? "", /^\d+$/);
});

test("what is deployed is started with the flags of npm start", () => {
  for (const sample of ["docker/Dockerfile", "systemd/portico.service", "systemd/portico@.service"]) {
    const text = readFileSync(new URL(`../../deploy/${sample}`, import.meta.url), "utf8");
    for (const flag of startSettings().flags) assert.ok(text.includes(flag), `${sample} has no ${flag}`);
  }
});
