import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import { hostname } from "node:os";
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { VERSION } from "../version.ts";
import { ToldExporter } from "./told-exporter.ts";
import type { Attributes, TracedSpan, TraceIds, Tracing } from "./tracing.ts";

/** Ended spans that wait for their export; further ones are dropped. */
const MOST_WAITING = 2_048;
const MOST_AT_ONCE = 512;
const EXPORT_EVERY_MS = 2_000;
const EXPORT_WITHIN_MS = 5_000;
/** A stop waits no longer for the collector. */
const CLOSE_WITHIN_MS = 2_000;
/** What a hostile value could make long. */
const SPAN_LIMITS = { attributeCountLimit: 32, attributeValueLengthLimit: 512 };

const propagator = new W3CTraceContextPropagator();
const carrier = { get: (headers: IncomingHttpHeaders, key: string) => headers[key], keys: Object.keys };

/** Traces that are sent to a collector by OTLP over HTTP, in protobuf. Other settings are OpenTelemetry's own variables. */
export class OtlpTracing implements Tracing {
  readonly #active = new AsyncLocalStorage<Context>();
  readonly #exporter: ToldExporter;
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  /** @param settings with the address of the collector's endpoint for traces. */
  constructor({ url, ratio, followsParent }: NonNullable<Config["tracing"]>) {
    this.#exporter = new ToldExporter(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_WITHIN_MS }));
    const sampler = new TraceIdRatioBasedSampler(ratio);
    const resource = resourceFromAttributes({
      "service.name": "portico",
      "service.version": VERSION,
      "service.instance.id": `${hostname()}:${process.pid}`,
    });
    this.#provider = new TracerProvider({
      resource: resource.merge(detectResources({ detectors: [envDetector] })),
      sampler: followsParent ? new ParentBasedSampler({ root: sampler }) : sampler,
      spanLimits: SPAN_LIMITS,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.#exporter,
          maxQueueSize: MOST_WAITING,
          maxExportBatchSize: MOST_AT_ONCE,
          scheduledDelayMillis: EXPORT_EVERY_MS,
          exportTimeoutMillis: EXPORT_WITHIN_MS,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer("portico", VERSION);
  }

  /** Tells this log of spans that could not be exported. */
  tellTo(log: Logger): void {
    this.#exporter.tellTo(log);
  }

  call(name: string, headers: IncomingHttpHeaders, attributes: Attributes): TracedSpan {
    return this.#begin(name, SpanKind.SERVER, attributes, propagator.extract(ROOT_CONTEXT, headers, carrier));
  }

  part(name: string, attributes: Attributes): TracedSpan | null {
    const parent = this.#active.getStore();
    return parent === undefined ? null : this.#begin(name, SpanKind.CLIENT, attributes, parent);
  }

  outgoing(name: string, attributes: Attributes): TracedSpan {
    return this.#begin(name, SpanKind.CLIENT, attributes, ROOT_CONTEXT);
  }

  active(): TraceIds | null {
    const active = this.#active.getStore();
    const span = active && trace.getSpan(active);
    return span === undefined ? null : idsOf(span);
  }

  bound<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
    return AsyncLocalStorage.bind(work);
  }

  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_WITHIN_MS);
    await Promise.race([this.#provider.shutdown().catch(() => {}), late]);
    clearTimeout(timer);
  }

  #begin(name: string, kind: SpanKind, attributes: Attributes, parent: Context): TracedSpan {
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    const own = trace.setSpan(parent, span);
    return {
      ids: idsOf(span),
      set: (more) => void span.setAttributes(more),
      fail: (type) => void span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR }),
      end: () => span.end(),
      within: (work) => this.#active.run(own, work),
      headers() {
        const headers: Record<string, string> = {};
        propagator.inject(own, headers, { set: (to, key, value) => Object.assign(to, { [key]: value }) });
        return headers;
      },
    };
  }
}

function idsOf(span: Span): TraceIds {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
