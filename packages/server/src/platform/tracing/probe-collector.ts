import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";

/**
 * Sends a collector no spans, as a service would send some: with the same headers and certificates.
 *
 * @throws when it does not take them within `withinMs`.
 */
export async function probeCollector(url: string, withinMs: number): Promise<void> {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: withinMs });
  try {
    await new Promise<void>((resolve, reject) => {
      exporter.export([], ({ code, error }) => {
        if (code === ExportResultCode.SUCCESS) resolve();
        else reject(error ?? new Error("it takes no traces"));
      });
    });
  } finally {
    await exporter.shutdown();
  }
}
