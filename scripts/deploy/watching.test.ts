import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { parser } from "@prometheus-io/lezer-promql";
import { parse, parseAllDocuments } from "yaml";
import { findProgram } from "../test-services/find-program.ts";
import { documentedMetrics } from "./documented-metrics.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "deploy/prometheus");
const GUIDE = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
/** What Prometheus and the client library add. */
const EVERYWHERE = ["job", "instance", "le"];
const OF_PROMETHEUS = "up";

const documented = documentedMetrics();
const promtool = await findProgram("promtool", process.env.PATH ?? "");

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string }[];
}

/** The metrics and labels of an expression. @throws when it is no PromQL. */
function partsOf(expression: string): { metrics: Set<string>; labels: Set<string> } {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  parser.parse(expression).iterate({
    enter({ name, from, to, type }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`not PromQL near ${from}: ${expression}`);
      if (name === "Identifier") metrics.add(text);
      if (name === "LabelName") labels.add(text);
    },
  });
  return { metrics, labels };
}

/** The documented metric that a series belongs to. */
function familyOf(series: string): string {
  const family = series.replace(/_(bucket|sum|count)$/, "");
  return documented.get(family)?.type === "histogram" ? family : series;
}

/** Fails when an expression is wrong, or has a metric or a label that the service does not have. */
function checkExpression(expression: string): Set<string> {
  const { metrics, labels } = partsOf(expression);
  assert.ok(metrics.size > 0, expression);
  const families = [...metrics].filter((metric) => metric !== OF_PROMETHEUS).map(familyOf);
  for (const family of families) assert.ok(documented.has(family), `no metric ${family}: ${expression}`);
  const words = families.map((family) => documented.get(family)?.words ?? "").join(" ");
  for (const label of labels) {
    const isKnown = EVERYWHERE.includes(label) || words.includes(`\`${label}\``);
    assert.ok(isKnown, `no label ${label}: ${expression}`);
  }
  return new Set(families);
}

describe("the alerts", () => {
  const text = readFileSync(join(FOLDER, "alerts.yml"), "utf8");
  const { groups }: { groups: { rules: Rule[] }[] } = parse(text);
  const rules = groups.flatMap(({ rules: own }) => own);

  for (const { alert, expr, labels, annotations } of rules) {
    test(`${alert} asks for metrics that exist, and has words`, () => {
      checkExpression(expr);
      assert.ok(["critical", "warning", "info"].includes(labels.severity));
      assert.match(annotations.summary, /^\S.*[^.]$/);
    });
  }
  test("each have a name of their own, and a line in the guide that says what to do", () => {
    const advised = [...GUIDE.matchAll(/^\| `(Portico\w+)` \| (.+) \|$/gm)].map(([, name]) => name);
    assert.deepEqual(advised, [...new Set(rules.map(({ alert }) => alert))]);
    assert.equal(advised.length, rules.length);
  });
  test("are good for promtool", { skip: promtool === undefined ? "needs promtool" : false }, async () => {
    const { stdout } = await promisify(execFile)(promtool ?? "", ["check", "config", join(FOLDER, "prometheus.yml")]);
    assert.match(stdout, new RegExp(`${rules.length} rules found`));
  });
  test("are raised by what they are about", { skip: promtool === undefined ? "needs promtool" : false }, async () => {
    await promisify(execFile)(promtool ?? "", ["test", "rules", join(FOLDER, "alerts_test.yml")]);
  });
});

test("the sample of a Prometheus reads the alerts, from the path of the service", () => {
  const sample = parse(readFileSync(join(FOLDER, "prometheus.yml"), "utf8"));
  assert.deepEqual(sample.rule_files, ["alerts.yml"]);
  assert.deepEqual(
    sample.scrape_configs.map((config: { job_name: string; metrics_path: string }) => [
      config.job_name,
      config.metrics_path,
    ]),
    [["portico", "/metrics"]],
  );
});

test("Prometheus finds the pods of the manifests, with the token that they ask for", () => {
  const read = (file: string) => readFileSync(join(ROOT, "deploy", file), "utf8");
  const [job, ...others] = parse(read("prometheus/kubernetes.yml")).scrape_configs;
  assert.deepEqual([job.job_name, job.metrics_path, others.length], ["portico", "/metrics", 0]);
  const manifests = parseAllDocuments(read("kubernetes/portico.yaml")).map((document) => document.toJS());
  const { metadata, spec } = manifests.find(({ kind }) => kind === "Deployment").spec.template;
  const [{ env, ports, resources }] = spec.containers;
  const kept = job.relabel_configs.find(({ action }: { action: string }) => action === "keep");
  const names = ports.map(({ name }: { name: string }) => `${metadata.labels["app.kubernetes.io/name"]}/${name}`);
  assert.ok(names.includes(kept.regex), `${names}`);
  const hasToken = env.some(({ name }: { name: string }) => name === "PORTICO_METRICS_TOKEN_FILE");
  assert.deepEqual([hasToken, job.authorization?.credentials_file !== undefined], [true, true]);
  // By annotations alone a Prometheus would ask without the token, and under the name of another job.
  assert.equal(metadata.annotations, undefined);
  const [, limit] = /^(\d+)Mi$/.exec(resources.limits.memory) ?? [];
  const [, alertAt] = /process_resident_memory_bytes\S* > (\d+)/.exec(read("prometheus/alerts.yml")) ?? [];
  assert.ok(Number(alertAt) < Number(limit) * 2 ** 20 * 0.9, "one hears of memory before the pod is killed");
});

describe("the dashboard", () => {
  const dashboard = JSON.parse(readFileSync(join(ROOT, "deploy/grafana/portico.json"), "utf8"));
  const panels: Panel[] = dashboard.panels;
  const targets = panels.flatMap((panel) => (panel.targets ?? []).map((target) => ({ ...target, panel: panel.title })));

  for (const { panel, expr } of targets) {
    test(`${panel}: ${expr.slice(0, 60)} is a query of metrics that exist`, () => {
      checkExpression(withoutVariables(expr));
    });
  }
  test("shows every metric", () => {
    const shown = new Set(targets.flatMap(({ expr }) => [...checkExpression(withoutVariables(expr))]));
    assert.deepEqual(
      [...documented.keys()].filter((metric) => !shown.has(metric)),
      [],
    );
  });
  test("has panels with ids of their own, words, and places that do not overlap", () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const places = new Set<string>();
    for (const { title, type, description, gridPos, targets: own = [] } of panels) {
      assert.ok(title !== "" && (type === "row" || (description ?? "") !== ""), title);
      assert.equal(new Set(own.map(({ refId }) => refId)).size, own.length, title);
      assert.ok(gridPos.x + gridPos.w <= 24, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(!places.has(`${x} ${y}`), `${title} overlaps`);
          places.add(`${x} ${y}`);
        }
      }
    }
  });
  test("asks for its variables by metrics that exist", () => {
    const asked = JSON.stringify(dashboard.templating).matchAll(/label_values\((\w+)/g);
    for (const [, metric = ""] of asked) assert.ok(documented.has(metric), metric);
  });
});

/** Grafana replaces these before it asks. */
function withoutVariables(expression: string): string {
  return expression.replaceAll("$__rate_interval", "1m").replaceAll(/\$(job|instance)\b/g, "x");
}
