import type { Config } from "../config/config.ts";
import type { OtlpTracing } from "./otlp-tracing.ts";

/** @returns null unless a collector is configured: then nothing of OpenTelemetry is loaded. */
export async function openTracing({ tracing }: Pick<Config, "tracing">): Promise<OtlpTracing | null> {
  if (tracing === null) return null;
  const module = await import("./otlp-tracing.ts");
  return new module.OtlpTracing(tracing);
}
