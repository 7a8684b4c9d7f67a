import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";

/** The one protocol that is spoken; it is OpenTelemetry's default for HTTP. */
const PROTOCOL = "http/protobuf";

/**
 * Where traces are sent, from OpenTelemetry's own variables, which have the same meaning in every program; null when none is
 * set, or tracing is disabled by `OTEL_SDK_DISABLED`.
 *
 * @throws ConfigError when the address or the protocol cannot be used.
 */
export function tracingOf(env: NodeJS.ProcessEnv): Config["tracing"] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env;
  const [name, raw] = traces
    ? (["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", traces] as const)
    : (["OTEL_EXPORTER_OTLP_ENDPOINT", base] as const);
  if (!raw || env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return null;
  const url = URL.parse(raw);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new ConfigError(`${name} must be a URL starting with http:// or https://`);
  }
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || PROTOCOL;
  if (protocol !== PROTOCOL) {
    throw new ConfigError(`traces are sent by ${PROTOCOL} alone: leave OTEL_EXPORTER_OTLP_PROTOCOL out`);
  }
  // As OpenTelemetry has it: the general address is that of a folder, the one for traces is taken as it is.
  if (!traces) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return { url: url.href, ...samplerOf(env) };
}

/** Samplers by the share of traces that they take; null: OTEL_TRACES_SAMPLER_ARG. */
const SAMPLERS = { always_on: 1, always_off: 0, traceidratio: null } as const;

function samplerOf(env: NodeJS.ProcessEnv): { ratio: number; followsParent: boolean } {
  const { OTEL_TRACES_SAMPLER: named, OTEL_TRACES_SAMPLER_ARG: argument } = env;
  const [, prefix, base] =
    /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(named || "parentbased_always_on") ?? [];
  if (base === undefined) {
    throw new ConfigError(
      `OTEL_TRACES_SAMPLER must be one of ${Object.keys(SAMPLERS)}, or one of them after parentbased_`,
    );
  }
  const ratio = SAMPLERS[base as keyof typeof SAMPLERS] ?? Number(argument || "1");
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1");
  return { ratio, followsParent: prefix !== undefined };
}
