import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { SERVICE_COMMANDS } from "../../packages/cli/src/service-commands.ts";
import { type InstalledProgram, installedProgram } from "./testing/program.ts";
import { RUNTIMES } from "./testing/runtimes.ts";

const START_WITHIN_MS = 60_000;
/** The pages are most of it. */
const MOST_PACKED_BYTES = 12_000_000;
const WORKSPACES = ["server", "cli", "protocol"].map((name) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, `../../packages/${name}/package.json`), "utf8")),
);

let program: InstalledProgram;
before(async () => {
  program = await installedProgram("server");
});
after(() => program?.[Symbol.asyncDispose]());

describe("the packed service", () => {
  test("runs in an empty folder, and is backed up, restored and checked by its own commands", async () => {
    await using service = await started({ PORTICO_PORT: "0" });
    const { url } = service;
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    for (const page of ["/", "/console/", "/messenger/", "/desk/", "/docs/"]) {
      assert.match(await (await fetch(url + page)).text(), /<html/, page);
    }
    assert.match(await (await fetch(`${url}/metrics`)).text(), new RegExp(`version="${program.manifest.version}"`));
    assert.equal((await fetch(`${url}/docs/json`)).status, 200);
    assert.match(service.output(), /Demo world/);

    const sealed = { PORTICO_BACKUP_PASSPHRASE: "a long passphrase" };
    const saved = await program.run(["backup", "saved.tar"], sealed);
    assert.equal(saved.code, 0, saved.stderr);
    assert.equal(await service.stop(), 0);

    const elsewhere = { PORTICO_DATA_DIR: join(program.directory, "elsewhere"), ...sealed };
    for (const args of [["restore", "saved.tar"], ["check-store"], ["migrate", "--check"]]) {
      const { code, stderr } = await program.run(args, elsewhere);
      assert.equal(code, 0, `${args}: ${stderr}`);
    }
    const again = await program.run(["restore", "saved.tar"], elsewhere);
    assert.equal(again.code, 1, "a restore replaces nothing");
    await using restored = await started({ ...elsewhere, PORTICO_PORT: "0" }, ["serve"]);
    assert.equal((await fetch(`${restored.url}/readyz`)).status, 200);
  });

  test("makes the first operator of a new store", async () => {
    const env = { PORTICO_DATA_DIR: join(program.directory, "new"), PORTICO_ENVIRONMENT: "production" };
    await mkdir(env.PORTICO_DATA_DIR);
    const args = ["operator", "create", "--phone", "13800000000", "--channel", "1", "--password-stdin", "--json"];
    const { code, stdout, stderr } = await program.run(args, env, "a good long password\n");
    assert.equal(code, 0, stderr);
    assert.match(JSON.parse(stdout).developerId, /^\w+/);
  });

  test("applies a provisioning file without writing", async () => {
    const env = { PORTICO_DATA_DIR: join(program.directory, "none") };
    const { code, stderr } = await program.run(["provision", "missing.json"], env);
    assert.equal(code, 1);
    assert.match(stderr, /missing\.json/);
  });

  test("lists its commands, under its own name", async () => {
    const { code, stdout } = await program.run(["--help"]);
    assert.equal(code, 0);
    assert.match(stdout, /^usage: portico-server COMMAND/);
    for (const { name, summary } of SERVICE_COMMANDS)
      assert.ok(stdout.includes(name) && stdout.includes(summary), name);
    const help = await program.run(["backup", "--help"]);
    assert.match(help.stdout, /^usage: portico-server backup/);
    assert.doesNotMatch(help.stdout, /\bportico [a-z]/);
    const unknown = await program.run(["send", "--to", "group:g_demo", "hello"]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /^portico-server: /);
  });

  test("has all commands that open the store", async () => {
    const folder = resolve(import.meta.dirname, "../../packages/cli/src/commands");
    const { stdout } = await promisify(execFile)("grep", ["-l", "serverModule(", "-r", folder]);
    const files = stdout
      .trim()
      .split("\n")
      .map((file) => file.slice(folder.length + 1, -".ts".length));
    assert.deepEqual(files.toSorted(), SERVICE_COMMANDS.map(({ name }) => name.replace(" ", "-")).toSorted());
  });

  for (const { name, program: node, missing } of RUNTIMES.filter((runtime) => /^Node 2[02]$/.test(runtime.name))) {
    test(`says on ${name} that it needs another`, { skip: missing }, async () => {
      await assert.rejects(promisify(execFile)(node, [program.bin, "--help"]), /needs Node 24 or later/);
    });
  }

  test("holds neither sources nor tests, and is no larger than it has to be", (t) => {
    const others = program.files.filter((file) => !file.startsWith("dist/"));
    assert.deepEqual(others.toSorted(), ["LICENSE", "README.md", "npm-shrinkwrap.json", "package.json"]);
    assert.deepEqual(
      program.files.filter((file) => /\.tsx?$|\.test\.|\/test\//.test(file)),
      [],
    );
    t.diagnostic(`${program.files.length} files, ${(program.packedBytes / 1e6).toFixed(1)} MB packed`);
    assert.ok(program.packedBytes < MOST_PACKED_BYTES, `${program.packedBytes}`);
  });

  test("depends on exactly the versions that the repository has", () => {
    const known = Object.assign({}, ...WORKSPACES.map(({ dependencies }) => dependencies));
    assert.ok(Object.keys(program.manifest.dependencies).length > 10);
    for (const [name, version] of Object.entries(program.manifest.dependencies)) {
      assert.equal(version, known[name], name);
      assert.match(version, /^\d/, name);
    }
    // What the service lists is what it uses: nobody installs more.
    const [{ dependencies }] = WORKSPACES;
    const listed = Object.keys(dependencies).filter((name) => !name.startsWith("@portico/"));
    assert.deepEqual(
      listed.filter((name) => !(name in program.manifest.dependencies)),
      [],
    );
  });
});

async function started(env: Record<string, string>, args: readonly string[] = []) {
  const child = program.start(args, env);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const stop = async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return child.exitCode;
  };
  const deadline = AbortSignal.timeout(START_WITHIN_MS);
  for (;;) {
    const url = /Portico is up at http:\/\/localhost:(\d+)/.exec(output)?.[1];
    if (url !== undefined) {
      return {
        url: `http://127.0.0.1:${url}`,
        output: () => output,
        stop,
        [Symbol.asyncDispose]: async () => void (await stop()),
      };
    }
    if (child.exitCode !== null || deadline.aborted) {
      child.kill("SIGKILL");
      throw new Error(`it did not start:\n${output}`);
    }
    await once(child.stdout, "data", { signal: deadline }).catch(() => {});
  }
}
