import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { startSettings } from "./start-settings.ts";

test("what npm start sets is read from its command", () => {
  const { env, flags } = startSettings();
  assert.ok(flags.some((flag) => /^--max-semi-space-size=\d+$/.test(flag)));
  assert.match(env.MALLOC_ARENA_MAX ?? "", /^\d+$/);
});

// npm passes signals on to the shell of a script alone: a service beside it would go on without either.
test("the service takes the place of the shell that npm start runs", async () => {
  const bin = await mkdtemp(join(tmpdir(), "portico-start-"));
  try {
    await writeFile(join(bin, "node"), "#!/bin/sh\necho $$\n", { mode: 0o755 });
    const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const { shell, pid } = await new Promise<{ shell: number | undefined; pid: number }>((resolve, reject) => {
      const child = execFile("sh", ["-c", scripts.start], { env }, (error, output) => {
        if (error === null) resolve({ shell: child.pid, pid: Number(output) });
        else reject(error);
      });
    });
    assert.equal(pid, shell);
  } finally {
    await rm(bin, { recursive: true });
  }
});

test("what is deployed is started with the flags of npm start", () => {
  for (const sample of ["docker/Dockerfile", "systemd/portico.service", "systemd/portico@.service"]) {
    const text = readFileSync(new URL(`../../deploy/${sample}`, import.meta.url), "utf8");
    for (const flag of startSettings().flags) assert.ok(text.includes(flag), `${sample} has no ${flag}`);
  }
});
