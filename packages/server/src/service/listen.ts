import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Config } from "../platform/config/config.ts";
import { ConfigError } from "../platform/config/config-error.ts";

/** The time that requests in flight have to finish after a stop begins. */
const FINISH_WITHIN_MS = 5_000;

/** Stops accepting requests, and ends those that take too long. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), FINISH_WITHIN_MS);
  await server.close();
  clearTimeout(timer);
}

/** @returns the address. @throws ConfigError when it is taken, or not of this machine. */
export async function listen(server: FastifyInstance, config: Config): Promise<string> {
  try {
    await server.listen({ port: config.port, host: config.host });
  } catch (error) {
    throw new ConfigError(
      `cannot listen on ${config.host} port ${config.port} (${error instanceof Error ? error.message : error}): ` +
        "set PORTICO_PORT or PORTICO_HOST",
    );
  }
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const scheme = config.tls === null ? "http" : "https";
  config.baseUrl ??= `${scheme}://localhost:${port}`;
  config.consoleUrl ??= config.baseUrl;
  return `${scheme}://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
}
