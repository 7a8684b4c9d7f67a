import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { ConfigError } from "../src/platform/config/config-error.ts";
import { loadConfig } from "../src/platform/config/load-config.ts";
import { OtlpTracing } from "../src/platform/tracing/otlp-tracing.ts";
import { acme, alice, botApp, call, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { sendSigned } from "./support/http.ts";
import { type ReceivedSpan, startOtlpReceiver } from "./support/otlp-receiver.ts";
import { startProcess } from "./support/process.ts";
import { startReceiver } from "./support/receiver.ts";
import { LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, sayTo, subscribe, until, untilAll } from "./support/webhooks.ts";
import { World } from "./support/world.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const CALLER_SPAN_ID = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`;
/** Kinds of spans in OTLP. */
const SERVER = 2;
const CLIENT = 3;

const SEND = `POST ${MESSAGES}`;
const app = botApp("app_bot");
/** The tests call as a proxy does, whose traces the service goes on with. */
const AS_PROXY = { PORTICO_TRUSTED_PROXIES: "127.0.0.0/8,::1/128" };

onBothEngines("traces", (engine, test) => {
  async function traced(
    t: TestContext,
    { env = AS_PROXY, ratio = 1 }: { env?: Record<string, string>; ratio?: number } = {},
  ) {
    const collector = await startOtlpReceiver();
    const tracing = new OtlpTracing({ url: `${collector.url}/v1/traces`, ratio, followsParent: true });
    const parts = { network: LOOPBACK_NETWORK, tracing };
    const world = await World.create(engine, acme(app), { ...LOOPBACK_CALLBACKS, ...env }, parts);
    t.after(async () => {
      await world.dispose();
      await collector[Symbol.asyncDispose]();
    });
    const spansOf = (name: string) => collector.spans.filter((span) => span.name === name);
    return { world, tracing, collector, spansOf };
  }

  test("have a call in its caller's trace, with the commit that it waits for", async (t) => {
    const { world, tracing, collector, spansOf } = await traced(t);
    const headers = { traceparent: TRACEPARENT };
    const target = `${MESSAGES}?password=hunter2`;
    const { status } = await call(world, "app_bot", {
      method: "POST",
      target,
      body: textBody("a private word"),
      headers,
    });
    assert.equal(status, 200);
    await tracing.close();
    const [send] = spansOf(SEND);
    assert.ok(send, JSON.stringify(collector.spans));
    assert.deepEqual([send.traceId, send.parentSpanId, send.kind], [TRACE_ID, CALLER_SPAN_ID, SERVER]);
    assert.equal(send.attributes["http.route"], MESSAGES);
    assert.equal(send.attributes["http.response.status_code"], 200);
    assert.equal(send.attributes["portico.code"], "000000");
    assert.equal(send.attributes["portico.app_id"], "app_bot");
    const commits = spansOf("commit").filter(({ parentSpanId }) => parentSpanId === send.spanId);
    assert.equal(commits.length, 1);
    assert.equal(commits[0]?.traceId, TRACE_ID);
    assert.equal(commits[0]?.attributes["db.system.name"], engine.name === "sqlite" ? "sqlite" : "postgresql");
    assert.equal(collector.resources[0]?.["service.name"], "portico");
    assert.deepEqual([...collector.contentTypes], ["/v1/traces application/x-protobuf"]);
    assertNothingPrivate(collector.spans);
  });

  for (const [who, env, exported] of [
    ["anybody", {}, 0],
    ["a trusted proxy", AS_PROXY, 1],
    ["somebody beside the trusted proxy", { PORTICO_TRUSTED_PROXIES: "10.0.0.0/8" }, 0],
  ] as const) {
    test(`are ${exported === 0 ? "not " : ""}begun because ${who} asks for it`, async (t) => {
      const { world, tracing, spansOf } = await traced(t, { env, ratio: 0 });
      const request = { method: "POST", target: MESSAGES, body: textBody("x"), headers: { traceparent: TRACEPARENT } };
      assert.equal((await call(world, "app_bot", request)).status, 200);
      await tracing.close();
      assert.equal(spansOf(SEND).length, exported);
    });
  }

  test("of calls that share a commit each have their own", async (t) => {
    const { world, tracing, spansOf } = await traced(t);
    const ids = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(32).replace(/^0+$/, "a".repeat(32)));
    await Promise.all(
      ids.map((id) => {
        const headers = { traceparent: `00-${id}-${CALLER_SPAN_ID}-01` };
        return call(world, "app_bot", { method: "POST", target: MESSAGES, body: textBody("hi"), headers });
      }),
    );
    await tracing.close();
    const sends = spansOf(SEND);
    assert.deepEqual(sends.map(({ traceId }) => traceId).toSorted(), ids.toSorted());
    for (const { traceId, spanId } of sends) {
      assert.ok(spansOf("commit").some((span) => span.traceId === traceId && span.parentSpanId === spanId));
    }
  });

  test("go on to the receiver of a webhook", async (t) => {
    const { world, tracing, spansOf, collector } = await traced(t);
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    const secret = await subscribe(world, "app_bot", receiver.url("/hook?token=hunter2"));
    await sayTo(world, "app_bot", "a private word", alice);
    await untilAll(world, "app_bot", "DELIVERED");
    await tracing.close();
    const [delivery] = spansOf("deliver webhook");
    assert.ok(delivery);
    assert.deepEqual([delivery.parentSpanId, delivery.kind, delivery.hasFailed], ["", CLIENT, false]);
    const { headers } = receiver.requests[0] ?? assert.fail("nothing came");
    assert.equal(headers.traceparent, `00-${delivery.traceId}-${delivery.spanId}-01`);
    assert.equal(delivery.attributes["portico.event_id"], headers["x-open-event-id"]);
    assert.equal(delivery.attributes["server.address"], "receiver.test");
    assertNothingPrivate(collector.spans, secret);
  });

  for (const [what, traceparent] of [
    ["no trace context", "hello"],
    ["an id of zeros", `00-${"0".repeat(32)}-${CALLER_SPAN_ID}-01`],
    ["a very long one", TRACEPARENT + "a".repeat(8_000)],
  ] as const) {
    test(`begin anew where a caller sends ${what}`, async (t) => {
      const { world, tracing, spansOf } = await traced(t);
      const headers = { traceparent };
      const { status } = await call(world, "app_bot", {
        method: "POST",
        target: MESSAGES,
        body: textBody("x"),
        headers,
      });
      assert.equal(status, 200);
      await tracing.close();
      assert.equal(spansOf(SEND)[0]?.parentSpanId, "");
    });
  }
});

function assertNothingPrivate(spans: readonly ReceivedSpan[], ...secrets: readonly string[]): void {
  const text = JSON.stringify(spans);
  for (const secret of ["hunter2", "private", "?", credentialsOf("app_bot").appSecret, alice.password, ...secrets]) {
    assert.ok(!text.includes(secret), secret);
  }
}

describe("a process with a collector", () => {
  function envIn(t: TestContext, endpoint: string) {
    const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const provision = join(folder, "provision.json");
    writeFileSync(provision, JSON.stringify(acme(app)));
    const data = { PORTICO_DATA_DIR: join(folder, "data"), PORTICO_PORT: "0", PORTICO_PROVISION: provision };
    return { ...data, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: "messenger", ...AS_PROXY };
  }
  const refused = (url: string) =>
    sendSigned(url, credentialsOf("app_bot"), {
      ...{ method: "POST", target: MESSAGES, body: textBody("x"), signedBody: "y", timestamp: Date.now() },
      headers: { traceparent: TRACEPARENT },
    });

  test("names the trace in its log, and exports what is left at its end", async (t) => {
    await using collector = await startOtlpReceiver();
    const server = await startProcess(envIn(t, collector.url));
    t.after(() => server.end("SIGKILL"));
    assert.equal((await refused(server.url)).status, 401);
    assert.equal(await server.end("SIGTERM"), 0);
    const [span] = collector.spans.filter(({ name }) => name === SEND);
    assert.equal(span?.traceId, TRACE_ID);
    const line =
      server
        .output()
        .split("\n")
        .find((text) => text.includes("request refused")) ?? "{}";
    const { trace_id, span_id } = JSON.parse(line);
    assert.deepEqual([trace_id, span_id], [TRACE_ID, span?.spanId]);
    assert.equal(collector.resources[0]?.["service.name"], "messenger");
  });

  test("that is away does its work, says so once, and stops in time", async (t) => {
    const server = await startProcess(envIn(t, "http://127.0.0.1:1"));
    t.after(() => server.end("SIGKILL"));
    for (let calls = 0; calls < 3; calls++) assert.equal((await refused(server.url)).status, 401);
    await until(() => server.output().includes("traces could not be exported"), "a line in the log");
    const startedAt = performance.now();
    assert.equal(await server.end("SIGTERM"), 0);
    assert.ok(performance.now() - startedAt < 8_000);
    assert.equal(server.output().match(/traces could not be exported/g)?.length, 1);
  });
});

describe("the configuration of traces", () => {
  const base = "OTEL_EXPORTER_OTLP_ENDPOINT";
  const own = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  for (const [env, url] of [
    [{}, undefined],
    [{ [base]: "" }, undefined],
    [{ [base]: "http://collector:4318" }, "http://collector:4318/v1/traces"],
    [{ [base]: "https://collector/otlp/" }, "https://collector/otlp/v1/traces"],
    [{ [base]: "http://collector:4318", [own]: "http://traces:4318/here" }, "http://traces:4318/here"],
    [{ [base]: "http://collector:4318", OTEL_SDK_DISABLED: "true" }, undefined],
  ] as const) {
    test(`${JSON.stringify(env)} sends to ${url}`, () => {
      assert.equal(loadConfig({ ...env }).tracing?.url, url);
    });
  }
  for (const [env, named] of [
    [{ [base]: "collector:4318" }, /OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/],
    [{ [base]: "http://collector", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /http\/protobuf alone/],
    [{ [base]: "http://collector", OTEL_TRACES_SAMPLER: "often" }, /OTEL_TRACES_SAMPLER must be one of/],
    [{ [base]: "http://collector", OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }, /from 0 to 1/],
  ] as const) {
    test(`${JSON.stringify(env)} stops the start`, () => {
      assert.throws(
        () => loadConfig({ ...env }),
        (error) => error instanceof ConfigError && named.test(error.message),
      );
    });
  }

  for (const [env, sampling] of [
    [{}, [1, true]],
    [{ OTEL_TRACES_SAMPLER: "always_off" }, [0, false]],
    [{ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" }, [0.25, true]],
  ] as const) {
    test(`${JSON.stringify(env)} takes ${sampling}`, () => {
      const { tracing } = loadConfig({ [base]: "http://collector", ...env });
      assert.deepEqual([tracing?.ratio, tracing?.followsParent], sampling);
    });
  }

  test("without a collector nothing of OpenTelemetry is loaded but what prom-client brings", async () => {
    const watch = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (/@opentelemetry\\/(?!api$)/.test(name)) console.log("loads " + name);
        return next(name, context);
      } });`;
    const look = (env: Record<string, string>) =>
      promisify(execFile)(
        process.execPath,
        [
          ...["--import", `data:text/javascript,${encodeURIComponent(watch)}`, "--input-type=module", "-e"],
          `await import("${new URL("../src/index.ts", import.meta.url)}");
           const { openTracing } = await import("${new URL("../src/platform/tracing/open-tracing.ts", import.meta.url)}");
           const { loadConfig } = await import("${new URL("../src/platform/config/load-config.ts", import.meta.url)}");
           await openTracing(loadConfig(process.env));`,
        ],
        { env: { PATH: process.env.PATH, ...env } },
      );
    assert.equal((await look({})).stdout, "");
    assert.match((await look({ [base]: "http://127.0.0.1:1" })).stdout, /loads @opentelemetry\/sdk-trace/);
  });
});
