import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { TEST_CA } from "../../server/test/support/certificates.ts";
import { TestIssuer } from "../../server/test/support/issuer.ts";
import { startOtlpReceiver } from "../../server/test/support/otlp-receiver.ts";
import { createWorkspace } from "./portico.ts";

type Finding = { check: string; state: string; detail: string };

/** Runs the command with these variables in an empty directory, in which nothing may be made. */
async function check(variables: Record<string, string>, ...options: string[]) {
  await using workspace = await createWorkspace();
  const child = workspace.start(["doctor", "--json", ...options], variables);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const findings: Finding[] = stdout === "" ? [] : JSON.parse(stdout);
  const stateOf = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
  await assert.rejects(workspace.read("fresh/portico.db"), { code: "ENOENT" });
  await assert.rejects(workspace.read("fresh/master.key"), { code: "ENOENT" });
  await assert.rejects(workspace.read("data/master.key"), { code: "ENOENT" });
  return { code: child.exitCode, findings, stateOf, stderr };
}

test("a configuration whose parts are all out of reach has all of them told in one run, and nothing is made", async () => {
  const begun = performance.now();
  const { code, stateOf, stderr } = await check({
    PORTICO_DATABASE_URL: "postgres://nobody@127.0.0.1:1/portico",
    PORTICO_REDIS_URL: "redis://127.0.0.1:1",
    PORTICO_MASTER_KEY: "0".repeat(64),
    PORTICO_BLOBS_KIND: "s3",
    PORTICO_BLOBS_ENDPOINT: "http://127.0.0.1:1",
    PORTICO_BLOBS_BUCKET: "b",
    PORTICO_BLOBS_ACCESS_KEY_ID: "a",
    PORTICO_BLOBS_SECRET_ACCESS_KEY: "s",
    PORTICO_TLS_CERT_FILE: "/nowhere/cert.pem",
    PORTICO_TLS_KEY_FILE: "/nowhere/key.pem",
    PORTICO_PROVISION: "/nowhere/provision.json",
    PORTICO_OIDC_ALLOW_NETWORKS: "127.0.0.0/8",
    PORTICO_OIDC_MEMBERS_ISSUER: "https://127.0.0.1:1",
    PORTICO_OIDC_MEMBERS_CLIENT_ID: "portico",
    PORTICO_OIDC_MEMBERS_TENANTS: "t_1",
    PORTICO_OIDC_DEVELOPERS_ISSUER: "https://127.0.0.1:1",
    PORTICO_OIDC_DEVELOPERS_CLIENT_ID: "portico",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    PORTICO_BASE_URL: "http://127.0.0.1:1",
    PORTICO_DATA_DIR: "fresh",
  });
  assert.equal(code, 1, stderr);
  const faults = [
    ...["database", "master key", "redis", "bucket", "certificate", "provision"],
    ...["members' provider", "developers' provider", "collector"],
  ];
  for (const name of faults) assert.equal(stateOf[name], "fault", name);
  assert.deepEqual([stateOf.settings, stateOf.directory, stateOf.address], ["ok", "none", "none"]);
  assert.ok(performance.now() - begun < 30_000);
});

test("providers and the collector are asked what a service would ask them, and nothing is left with them", async (t) => {
  const issuer = await TestIssuer.start();
  t.after(() => issuer.stop());
  await using collector = await startOtlpReceiver();
  const directory = mkdtempSync(join(tmpdir(), "portico-test-"));
  t.after(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "ca.pem"), TEST_CA);
  // As its name is one that only tests in this process resolve.
  const url = issuer.url.replace("receiver.test", "127.0.0.1");
  issuer.metadata = { issuer: url, jwks_uri: `${url}/keys` };
  const variables = {
    NODE_EXTRA_CA_CERTS: join(directory, "ca.pem"),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...issuer.env("MEMBERS"),
    ...issuer.env("DEVELOPERS"),
    PORTICO_OIDC_MEMBERS_ISSUER: url,
    PORTICO_OIDC_DEVELOPERS_ISSUER: url,
    PORTICO_DATA_DIR: "fresh",
  };
  const good = await check(variables);
  const detailOf = ({ findings }: typeof good, name: string) => findings.find(({ check }) => check === name)?.detail;
  assert.equal(good.code, 0, JSON.stringify(good.findings));
  assert.equal(detailOf(good, "members' provider"), `${url} answers, with its keys`);
  assert.equal(detailOf(good, "developers' provider"), `${url} answers, with its keys`);
  assert.equal(detailOf(good, "collector"), `${collector.url}/v1/traces takes traces`);
  assert.deepEqual([...collector.contentTypes], ["/v1/traces application/x-protobuf"]);
  assert.deepEqual(collector.spans, []);
  assert.deepEqual([issuer.asked("/token"), issuer.asked("/auth")], [[], []]);

  issuer.metadata = { issuer: "https://somebody.example" };
  const other = await check({ ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/nowhere` });
  assert.equal(other.code, 1);
  assert.equal(other.stateOf["members' provider"], "fault");
  assert.equal(other.stateOf.collector, "fault");
  assert.match(detailOf(other, "collector") ?? "", /not found/i);

  issuer.metadata = { issuer: url, jwks_uri: `${url}/no-keys` };
  assert.match(detailOf(await check(variables), "developers' provider") ?? "", /keys answered with 404/);
});

test("all wrong values are told of at once", async () => {
  const { code, findings } = await check({ PORTICO_PORT: "x", PORTICO_LOG_LEVEL: "loud", PORTICO_DATA_DIR: "d" });
  assert.equal(code, 1);
  assert.deepEqual(
    findings.map(({ detail }) => detail.split(" ", 1)[0]),
    ["PORTICO_PORT", "PORTICO_LOG_LEVEL"],
  );
});

test("an empty directory is no fault, by --service or by the environment; a developer's options ask for the other check", async () => {
  for (const { code, stateOf } of [await check({}, "--service"), await check({ PORTICO_DATA_DIR: "fresh" })]) {
    assert.deepEqual([code, stateOf.settings, stateOf.database, stateOf.directory], [0, "ok", "none", "none"]);
  }
  const developer = await check({ PORTICO_DATA_DIR: "fresh" }, "--base-url", "http://127.0.0.1:1");
  assert.deepEqual([developer.code, developer.stateOf], [1, { service: "fault" }]);
  assert.equal((await check({}, "--service", "--as", "ann")).code, 2);
});
