import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";

/** The log mentions a collector that does not answer once in this time. */
const TELL_EVERY_MS = 60_000;

/** Passes spans on to an exporter, and tells the log when they could not be exported. */
export class ToldExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  #log: Logger | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(exporter: SpanExporter) {
    this.#exporter = exporter;
  }

  tellTo(log: Logger): void {
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) this.#tell(spans.length, result.error);
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  #tell(lost: number, error: Error | undefined): void {
    const now = performance.now();
    if (now - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = now;
    this.#log?.warn({ lost, reason: error?.message }, "traces could not be exported; they are lost, nothing else is");
  }
}
