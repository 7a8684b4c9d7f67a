import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { sendContainerNotFound } from "../../platform/http/answer.ts";
import { CONSOLE_BASE } from "./console/console-route.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether a host serves it, when the console has one of its own; left out, that follows from the route's path. */
    isServedOn?: (request: FastifyRequest, isConsoleHost: boolean) => boolean;
  }
}

/** Also served on the console's host, for monitoring. */
const ON_EVERY_HOST: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** The developers' page, without the slash at its end. */
const CONSOLE_PAGE = "/console";

/** The characters of a host and port; any other could be parsed as another part of a URL. */
const AUTHORITY = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Serves the console on its own host only, and nothing else there, in production and when the two addresses differ.
 * Otherwise a request is answered as if there were no route. Must be registered before all other hooks.
 */
export function separateHosts(server: FastifyInstance, { config, clock }: { config: Config; clock: Clock }): void {
  const isConsoleHost = consoleHostTest(config);
  if (isConsoleHost === null) return;
  server.addHook("onRequest", (request, reply, done) => {
    // The route's own path: the request may spell the same path differently.
    const path = request.routeOptions.url ?? "";
    const { isServedOn } = request.routeOptions.config;
    const isConsole =
      path.startsWith(`${CONSOLE_BASE}/`) || path === CONSOLE_PAGE || path.startsWith(`${CONSOLE_PAGE}/`);
    const isOnConsoleHost = isConsoleHost(isConsole ? soleHost(request) : (request.headers.host ?? ""));
    const isThere = isServedOn?.(request, isOnConsoleHost) ?? isConsole === isOnConsoleHost;
    if (isThere || ON_EVERY_HOST.has(path)) done();
    else sendContainerNotFound(request, reply, clock.now());
  });
}

/**
 * The host of a request; empty when it names several, because a proxy may have used another one than Node, which takes
 * the first. A request target in absolute form takes precedence (RFC 9112, section 3.2.2).
 */
function soleHost({ raw, originalUrl }: FastifyRequest): string {
  const hosts = new Set(raw.headersDistinct.host);
  if (!originalUrl.startsWith("/")) hosts.add(URL.parse(originalUrl)?.host ?? "");
  const [host = "", ...others] = hosts;
  return others.length === 0 ? host : "";
}

/**
 * Returns a function that says whether a Host header is the console's; null when hosts are not separated. Hosts are
 * compared by name. Ports count only when the names are equal, because a proxy may have changed them.
 */
export function consoleHostTest({
  environment,
  port,
  baseUrl,
  consoleUrl,
}: Pick<Config, "environment" | "port" | "baseUrl" | "consoleUrl">): ((host: string) => boolean) | null {
  if (environment !== "production" || consoleUrl === null) return null;
  const { protocol } = new URL(consoleUrl);
  const part = (url: string, name: "host" | "hostname") => withoutFinalDot(URL.parse(url)?.[name] ?? "");
  const base = baseUrl ?? `http://localhost:${port}`;
  const name = part(base, "hostname") === part(consoleUrl, "hostname") ? "host" : "hostname";
  const wanted = part(consoleUrl, name);
  if (part(base, name) === wanted) return null;
  return (host) => AUTHORITY.test(host) && part(`${protocol}//${host}`, name) === wanted;
}

/** A name with a final dot is the same name in absolute form (RFC 1034, section 3.1). */
function withoutFinalDot(host: string): string {
  return host.replace(/\.(?=:\d+$|$)/, "");
}
