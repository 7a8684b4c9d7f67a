import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { copyFile, cp, mkdir } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { KEYS, SECRETS } from "../../packages/server/src/platform/config/keys.ts";
import { variableOf } from "../../packages/server/src/platform/config/settings.ts";
import { CERTIFICATES, TEST_KEY } from "../../packages/server/test/support/certificates.ts";
import { installedProgram } from "../package/testing/program.ts";
import { listOf, readDockerfile, variablesOf } from "./dockerfile.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "deploy/docker");
const MANIFEST = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const stages = readDockerfile(readFileSync(join(FOLDER, "Dockerfile"), "utf8"));
const image = stages.at(-1) ?? assert.fail("no stage");
const [entry, command, health] = ["ENTRYPOINT", "CMD", "HEALTHCHECK"].map((name) => {
  return image.instructions.find((each) => each.name === name) ?? assert.fail(`no ${name}`);
});
/** Those of the configuration, by their variables. */
const VARIABLES = new Set([...Object.keys(KEYS).map(variableOf), ...SECRETS.map((key) => `${variableOf(key)}_FILE`)]);
const USER = 10_001;

describe("the Dockerfile", () => {
  test("pins its bases, and Node is the one that the tests run on", () => {
    for (const { base } of stages) assert.match(base, /^[a-z/]+:\d+(\.\d+)+-[a-z-]+$/, base);
    assert.equal(stages[0]?.base, `node:${MANIFEST.devDependencies.node}-bookworm-slim`);
  });
  test("adds nothing from elsewhere, and leaves no lists, caches or tools", () => {
    const all = stages.flatMap(({ instructions }) => instructions);
    assert.deepEqual(
      all.filter(({ name }) => name === "ADD" || name === "MAINTAINER"),
      [],
    );
    for (const { name, rest } of image.instructions) {
      assert.doesNotMatch(rest, /\b(apt|apt-get|curl|wget|sudo|npm|chmod 777|latest)\b/, `${name} ${rest}`);
      if (name === "COPY") assert.match(rest, /^--from=build /);
    }
  });
  test("runs as nobody's user, in a folder of its own, and can be asked for its health", () => {
    const at = (wanted: string) => image.instructions.findLastIndex(({ name }) => name === wanted);
    assert.equal(image.instructions[at("USER")]?.rest, `${USER}:${USER}`);
    assert.ok(at("USER") > at("RUN"), "nothing runs as root afterwards");
    for (const name of ["EXPOSE", "VOLUME", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT"]) assert.ok(at(name) >= 0, name);
  });
  test("has the flags and settings of npm start, and variables that the service knows", () => {
    const [, settings = "", flags = ""] = /^exec env ((?:\w+=\S+ )*)node (.*) \S+$/.exec(MANIFEST.scripts.start) ?? [];
    const variables = variablesOf(image);
    for (const setting of settings.trim().split(" ")) {
      const [name = "", value] = setting.split("=");
      // The image has JavaScript, and writes into its volume alone.
      if (name === "NODE_COMPILE_CACHE") continue;
      assert.equal(variables[name], value, name);
    }
    assert.deepEqual(listOf(entry ?? assert.fail()).slice(1, -1), flags.split(" "));
    for (const name of Object.keys(variables).filter((each) => each.startsWith("PORTICO_"))) {
      assert.ok(VARIABLES.has(name), name);
    }
  });
  test("leaves data, keys and what was built out of its context, and keeps what the build reads", () => {
    const ignored = readFileSync(join(FOLDER, "Dockerfile.dockerignore"), "utf8");
    for (const kept of ["!package.json", "!package-lock.json", "!.npmrc", "!LICENSE", "!packages", "!docs"]) {
      assert.ok(ignored.includes(`${kept}\n`), kept);
    }
    for (const { workspaces } of [MANIFEST]) {
      for (const workspace of workspaces) {
        const isKept = ignored.includes(`!${workspace}/package.json\n`) || workspace.startsWith("packages/");
        assert.ok(isKept, workspace);
      }
    }
    assert.match(ignored, /^\*$/m);
    assert.match(ignored, /^\*\*\/node_modules$/m);
  });
});

test("the image's check of its health finds the service by the variables that move it, and by TLS", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "portico-test-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const [certFile, keyFile] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  writeFileSync(certFile, CERTIFICATES.expired);
  writeFileSync(keyFile, TEST_KEY);
  const [, ...check] = listOf({ name: "CMD", rest: (health ?? assert.fail()).rest.replace(/^.*?CMD /, "") });
  const answer = (status: number) => (_request: unknown, response: ServerResponse) => {
    response.writeHead(status).end();
  };
  for (const [where, host, tls] of [
    ["0.0.0.0", "0.0.0.0", false],
    ["::", "::", false],
    ["127.0.0.2", "127.0.0.2", false],
    ["TLS, with a certificate for another name", "0.0.0.0", true],
  ] as const) {
    const isHealthy = async (status: number) => {
      const server = tls
        ? createSecureServer({ cert: CERTIFICATES.expired, key: TEST_KEY }, answer(status))
        : createServer(answer(status));
      await once(server.listen(0, host), "listening");
      const { port } = server.address() as AddressInfo;
      const env = {
        PATH: process.env.PATH,
        PORTICO_HOST: host,
        PORTICO_PORT: String(port),
        ...(tls && { PORTICO_TLS_CERT_FILE: certFile, PORTICO_TLS_KEY_FILE: keyFile }),
      };
      const asked = await run(process.execPath, check, { env }).then(
        () => true,
        () => false,
      );
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      return asked;
    };
    assert.equal(await isHealthy(200), true, where);
    assert.equal(await isHealthy(503), false, where);
  }
  const nobody = { PATH: process.env.PATH, PORTICO_HOST: "0.0.0.0", PORTICO_PORT: "1" };
  await assert.rejects(run(process.execPath, check, { env: nobody }), { code: 1 });
});

/** A root directory with what the image's last stage copies, and the libraries that a Debian has. */
const cannotChroot = process.platform !== "linux" || process.getuid?.() !== 0 ? "needs Linux and root" : false;

test("what the image holds is enough: it runs in an empty root, read-only, as its user", {
  skip: cannotChroot,
}, async (t) => {
  const root = mkdtempSync(join(tmpdir(), "portico-root-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  await using program = await installedProgram("server");
  await mkdir(join(root, "app"), { recursive: true });
  await run("mv", [join(program.directory, "node_modules"), join(root, "app/node_modules")]);
  await mkdir(join(root, "usr/local/bin"), { recursive: true });
  await copyFile(process.execPath, join(root, "usr/local/bin/node"));
  const { stdout: libraries } = await run("ldd", [process.execPath]);
  for (const [, library = ""] of libraries.matchAll(/(\/\S+) \(0x/g)) {
    await mkdir(dirname(join(root, library)), { recursive: true });
    await cp(library, join(root, library), { dereference: true });
  }
  for (const folder of ["var/lib/portico", "tmp", "dev", "proc", "etc"])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(root, 0o755);
  chownSync(join(root, "var/lib/portico"), USER, USER);
  chmodSync(join(root, "tmp"), 0o1777);

  const start = [...listOf(entry ?? assert.fail()), ...listOf(command ?? assert.fail())];
  const check = listOf({ name: "CMD", rest: (health ?? assert.fail()).rest.replace(/^.*?CMD /, "") });
  const quoted = (words: readonly string[]) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const inside = (words: readonly string[]) =>
    `chroot --userspec=${USER}:${USER} . /usr/local/bin/node ${quoted(words.slice(1))}`;
  const script = `
    set -e
    cd '${root}'
    mount --bind . . && cd '${root}'
    mount -t tmpfs -o mode=0700,uid=${USER},gid=${USER} tmpfs var/lib/portico
    mount -t tmpfs -o mode=1777 tmpfs tmp
    mount -t proc proc proc
    mount -o remount,bind,ro .
    ip link set lo up
    ${inside(start)} & service=$!
    # Before it listens, the check fails; it must succeed in the end.
    for try in $(seq 120); do ${inside(check)} && break; read -t 0.25 nothing <> <(:) || true; done
    ${inside(check)} && echo healthy
    ${inside([...listOf(entry ?? assert.fail()), "check-store"])}
    touch app/written 2>/dev/null || echo read-only
    kill -TERM $service
    wait $service && echo stopped`;
  const env = { PATH: process.env.PATH, ...variablesOf(image) };
  const { stdout } = await run(
    "unshare",
    ["--mount", "--net", "--pid", "--fork", "--kill-child", "bash", "-c", script],
    {
      env,
      timeout: 150_000,
    },
  );
  for (const word of ["Portico is up", "healthy", "read-only", "stopped"])
    assert.ok(stdout.includes(word), `${word}:\n${stdout}`);
  assert.ok(existsSync(join(root, "app")));
  assert.deepEqual(globSync("var/lib/portico/*", { cwd: root }), [], "nothing was written outside of the mounts");
});
