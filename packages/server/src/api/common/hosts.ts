import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../../platform/config/config.ts";
import { sendContainerNotFound } from "../../platform/http/answer.ts";
import { CONSOLE_BASE } from "./console/console-route.ts";
import type { Context } from "./context.ts";

/** What the console's host serves beside the console: whoever watches the service may look at it there. */
const ON_EVERY_HOST: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** The characters of a host and its port; anything else would be read as another part of an address. */
const AUTHORITY = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Has the console's host serve the console alone, and no other host serve it, in production and where the two addresses
 * differ: elsewhere it is as if there were no route. To be added before whatever looks at a request.
 */
export function separateHosts(server: FastifyInstance, { config, clock }: Context): void {
  const isConsoleHost = consoleHostTest(config);
  if (isConsoleHost === null) return;
  server.addHook("onRequest", (request, reply, done) => {
    // The route's own path: what the request says may spell the same path in another way.
    const path = request.routeOptions.url ?? "";
    const isConsole = path.startsWith(`${CONSOLE_BASE}/`);
    const host = isConsole ? soleHost(request) : (request.headers.host ?? "");
    const isThere = ON_EVERY_HOST.has(path) || isConsole === isConsoleHost(host);
    if (isThere) done();
    else sendContainerNotFound(request, reply, clock.now());
  });
}

/**
 * The host that a request is for, empty when it names several: whoever is in front may have gone by another than Node,
 * which takes the first. A target in absolute form is what counts (RFC 9112, section 3.2.2).
 */
function soleHost({ raw }: FastifyRequest): string {
  const hosts = new Set(raw.headersDistinct.host);
  if (!raw.url?.startsWith("/")) hosts.add(URL.parse(raw.url ?? "")?.host ?? "");
  const [host = "", ...others] = hosts;
  return others.length === 0 ? host : "";
}

/**
 * Tells of a Host header whether it is the console's; null where hosts are not told apart. Hosts go by their names; their
 * ports, which a proxy in front may have changed, count only where the names are the same.
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

/** A name with a dot at its end is the same name, absolute (RFC 1034, section 3.1). */
function withoutFinalDot(host: string): string {
  return host.replace(/\.(?=:\d+$|$)/, "");
}
