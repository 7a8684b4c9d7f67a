import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSettings } from "../../../scripts/test-run/start-settings.ts";
import { acme, botApp, credentialsOf } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { sendSigned } from "./support/http.ts";
import { MAIN, startProcess } from "./support/process.ts";
import { FILES, FORM_TYPE, filePart, form } from "./support/uploads.ts";

const MIB = 1024 * 1024;
const LIMIT_MB = 300;

/** Peak memory of a process, in MB of 10^6 bytes. */
function peakMemoryOf(pid: number): number {
  const peakKiB = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return Math.round((peakKiB * 1024) / 1e6);
}

onBothEngines("memory under uploads", (engine, test) => {
  test("ten concurrent uploads of 19 MiB keep the process below 300 MB", async (t) => {
    const instance = await engine.create();
    const dataDir = instance.env.PORTICO_DATA_DIR ?? "";
    const provision = join(dataDir, "provision.json");
    writeFileSync(provision, JSON.stringify(acme(botApp("app_bot"))));
    const { env: settings, flags } = startSettings();
    const env = { ...instance.env, PORTICO_PORT: "0", PORTICO_PROVISION: provision, ...settings };
    const server = await startProcess(env, MAIN, { flags });
    t.after(async () => {
      await server.end("SIGKILL");
      await instance.dispose();
    });
    const before = peakMemoryOf(server.pid);
    const body = form(filePart({ content: randomBytes(19 * MIB) }));
    const upload = () =>
      sendSigned(server.url, credentialsOf("app_bot"), {
        method: "POST",
        target: FILES,
        timestamp: Date.now(),
        body,
        headers: { "content-type": FORM_TYPE },
      });
    for (const answer of await Promise.all(Array.from({ length: 10 }, upload))) assertSuccess(answer);
    const peak = peakMemoryOf(server.pid);
    t.diagnostic(`${before} MB before, ${peak} MB at most`);
    assert.ok(peak < LIMIT_MB, `${peak} MB`);
    assert.deepEqual(readdirSync(join(dataDir, "tmp")), [], "nothing is left where uploads wait");
  });
});
