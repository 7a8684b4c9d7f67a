import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { Deployment, type IDeployment } from "kubernetes-models/apps/v1";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service, ServiceAccount } from "kubernetes-models/v1";
import { parseAllDocuments } from "yaml";
import { KEYS, SECRETS } from "../../packages/server/src/platform/config/keys.ts";
import { variableOf } from "../../packages/server/src/platform/config/settings.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const text = readFileSync(join(ROOT, "deploy/kubernetes/portico.yaml"), "utf8");

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec?: unknown;
}
const manifests = parseAllDocuments(text).map((document) => {
  assert.deepEqual(document.errors, []);
  const manifest: Manifest = document.toJS();
  return manifest;
});
const MODELS = { ConfigMap, Deployment, Ingress, NetworkPolicy, PodDisruptionBudget, Service, ServiceAccount };
const found = (kind: string) => manifests.find((one) => one.kind === kind) ?? assert.fail(`no ${kind}`);
// Checked by the first test.
const deployment = found("Deployment") as IDeployment;
const pod = deployment.spec?.template.spec ?? assert.fail("no pod");
const [container] = pod.containers;
assert.ok(container);

describe("the manifests", () => {
  for (const manifest of manifests) {
    test(`${manifest.kind}: is valid by the schema of Kubernetes`, () => {
      const Model = MODELS[manifest.kind as keyof typeof MODELS] ?? assert.fail(manifest.kind);
      assert.equal(new Model().apiVersion, manifest.apiVersion);
      new Model(manifest as never).validate();
    });
  }
  test("have no field that Kubernetes does not know", async (t) => {
    const folder = mkdtempSync(join(ROOT, "node_modules/.cache-manifests-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const lines = manifests.map((manifest, index) => {
      const [group = "", version] = manifest.apiVersion.includes("/") ? manifest.apiVersion.split("/") : ["", "v1"];
      const module = `kubernetes-models/${group === "" ? "" : `${group}/`}${version}`;
      return `export const m${index}: import("${module}").I${manifest.kind} = ${JSON.stringify(manifest)};`;
    });
    const check = async (file: string, content: string) => {
      writeFileSync(join(folder, file), content);
      const args = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", "", "--ignoreConfig"];
      await promisify(execFile)(join(ROOT, "node_modules/.bin/tsc"), [...args, join(folder, file)], { cwd: folder });
    };
    await check("good.mts", lines.join("\n"));
    const wrong = lines.join("\n").replace('"replicas"', '"replica"');
    await assert.rejects(check("bad.mts", wrong), ({ stdout }: { stdout: string }) =>
      /"replica"' does not exist/.test(stdout),
    );
  });
  test("belong together by their labels", () => {
    for (const { kind, metadata } of manifests) {
      assert.equal(metadata.labels["app.kubernetes.io/name"], "portico", kind);
      assert.equal(metadata.name, "portico");
    }
    const selectors = [...JSON.stringify(manifests).matchAll(/"(?:matchLabels|selector)":\{"app[^}]*\}/g)];
    assert.equal(selectors.length, 5);
  });
});

test("the ingress has its controller begin traces itself, where it traces", () => {
  const { annotations = {} } = found("Ingress").metadata;
  assert.equal(annotations["nginx.ingress.kubernetes.io/opentelemetry-trust-incoming-span"], "false");
});

describe("the deployment", () => {
  test("rolls without a gap, and is kept by a disruption budget", () => {
    assert.deepEqual(deployment.spec?.strategy?.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
    assert.ok((deployment.spec?.replicas ?? 0) >= 2);
    assert.equal((found("PodDisruptionBudget").spec as { minAvailable: number }).minAvailable, 1);
    const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    // The service stops within ten seconds.
    assert.ok(preStop >= 3 && (pod.terminationGracePeriodSeconds ?? 0) >= preStop + 10);
  });
  test("asks whether it lives and whether it can work, each by its own path", () => {
    assert.equal(container.livenessProbe?.httpGet?.path, "/healthz");
    assert.equal(container.startupProbe?.httpGet?.path, "/healthz");
    assert.equal(container.readinessProbe?.httpGet?.path, "/readyz");
  });
  test("may do nothing that it need not", () => {
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext ?? {};
    assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile?.type], [true, 10_001, "RuntimeDefault"]);
    assert.equal(pod.automountServiceAccountToken, false);
    assert.ok(container.resources?.limits?.memory);
    assert.doesNotMatch(container.image ?? "", /:latest$|^[^:]*$/);
  });
  test("names only variables that the service knows, and has its secrets in files", () => {
    const known = new Set([...Object.keys(KEYS).map(variableOf), ...SECRETS.map((key) => `${variableOf(key)}_FILE`)]);
    const mount = container.volumeMounts?.find(({ name }) => name === "secrets")?.mountPath ?? assert.fail();
    const env = container.env ?? [];
    for (const name of [...env.map((one) => one.name), ...Object.keys(found("ConfigMap").data ?? {})]) {
      assert.ok(known.has(name), name);
    }
    for (const { name, value = "" } of env) {
      assert.ok(name.endsWith("_FILE") && value.startsWith(`${mount}/`), name);
      // The command in the comment makes each of them.
      assert.ok(text.includes(`--from-literal=${value.slice(mount.length + 1)}=`), value);
    }
  });
});
