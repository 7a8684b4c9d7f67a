import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startSettings } from "./start-settings.ts";

/** Whether this thread has loaded Node's reader of TypeScript. */
const READS_TYPESCRIPT = `const readsTypeScript = (): boolean => process.moduleLoadList.some((name: string) => name.includes("amaro"));`;

test("what npm start sets is read from its command", () => {
  const { env, flags } = startSettings();
  assert.ok(flags.some((flag) => /^--max-semi-space-size=\d+$/.test(flag)));
  assert.match(env.MALLOC_ARENA_MAX ?? "", /^\d+$/);
  assert.equal(env.NODE_COMPILE_CACHE, fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url)));
});

// Node's reader of TypeScript takes memory in each thread of a process that needs it once.
test("a second start finds its sources compiled, in its threads too", async () => {
  const dir = await mkdtemp(join(tmpdir(), "portico-compiled-"));
  try {
    const inThread = join(dir, "in-thread.ts");
    await writeFile(
      inThread,
      `${READS_TYPESCRIPT} require("node:worker_threads").parentPort.postMessage(readsTypeScript());`,
    );
    const program = join(dir, "program.ts");
    await writeFile(
      program,
      `${READS_TYPESCRIPT} const inThread: string = ${JSON.stringify(inThread)};
      new (require("node:worker_threads").Worker)(inThread).on("message", (there: boolean) => {
        console.log(JSON.stringify([readsTypeScript(), there]));
      });`,
    );
    const env = { ...process.env, ...startSettings().env, NODE_COMPILE_CACHE: join(dir, "cache") };
    const start = async () => JSON.parse((await promisify(execFile)(process.execPath, [program], { env })).stdout);
    assert.deepEqual(await start(), [true, true]);
    assert.deepEqual(await start(), [false, false]);
  } finally {
    await rm(dir, { recursive: true });
  }
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
