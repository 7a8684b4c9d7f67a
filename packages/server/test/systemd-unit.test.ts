import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { findProgram } from "../../../scripts/test-services/find-program.ts";

const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, "../../..");
/** systemd calls up to 2.0 "OK"; a unit without any restriction has 9.6. */
const MOST_EXPOSED = 2;
const program = await findProgram("systemd-analyze", process.env.PATH ?? "");

describe("the unit of systemd", { skip: program === undefined ? "needs systemd-analyze" : false }, () => {
  const unit = join(REPOSITORY, "deploy/systemd/portico.service");

  test("has no fault that systemd finds, and its command is there", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const here = join(folder, "portico.service");
    writeFileSync(here, readFileSync(unit, "utf8").replaceAll("/opt/portico", REPOSITORY));
    const { stdout, stderr } = await run(program ?? "", ["verify", here]);
    assert.equal(stdout + stderr, "");
  });
  test("has the flags and settings of npm start", () => {
    const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
    const [, settings = "", command = ""] = /^((?:\w+=\S+ )*)node (.*)$/.exec(scripts.start) ?? [];
    const text = readFileSync(unit, "utf8");
    assert.ok(command !== "" && text.includes(`/.bin/node ${command}\n`), scripts.start);
    for (const setting of settings.trim().split(" ")) assert.ok(text.includes(setting), setting);
  });
  test("exposes little", async () => {
    const { stdout } = await run(program ?? "", ["security", "--offline=true", unit]);
    const level = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
    assert.ok(level <= MOST_EXPOSED, `${level}`);
  });
});
