import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Service } from "./service.ts";

/** The source of a service's private instances, or the reason why there is none. */
export type ServiceSource = { start: () => Promise<Service> } | { missing: string };

/** A running control channel. */
export interface Control {
  url: string;
  /** Closes the channel and stops all remaining instances. */
  stop(): Promise<void>;
}

const INSTANCES_MAX = 32;

/**
 * Gives test files, which run in their own processes, private servers: restarting a shared one would disturb other
 * tests. `{service}` is a key of `sources`.
 *
 * - `POST /{service}` starts an instance: 201 `{id, url}`; 409 `{reason}` if the machine has none to start.
 * - `POST /{service}/{id}/restart` restarts it, on the same port: 204 once it answers.
 * - `DELETE /{service}/{id}` stops it and removes its data: 204.
 *
 * Other failures: 404 and 500, `{reason}`.
 */
export async function startControl(sources: Record<string, ServiceSource>): Promise<Control> {
  // Instances by "{service}/{id}"; as promises, so that stop() also finds those that are still starting.
  const instances = new Map<string, Promise<Service>>();

  async function create(name: string): Promise<Reply> {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (!source) return notFound;
    if ("missing" in source) return { status: 409, body: { reason: source.missing } };
    if (instances.size >= INSTANCES_MAX) throw new Error(`more than ${INSTANCES_MAX} instances at a time`);
    const id = randomUUID();
    const starting = source.start();
    instances.set(`${name}/${id}`, starting);
    try {
      const { url } = await starting;
      return { status: 201, body: { id, url } };
    } catch (error) {
      instances.delete(`${name}/${id}`);
      throw error;
    }
  }

  async function answer(method: string | undefined, path: string): Promise<Reply> {
    const [, name = "", id, action, ...rest] = path.split("/");
    if (rest.length > 0) return notFound;
    if (method === "POST" && id === undefined) return create(name);
    const key = `${name}/${id}`;
    const instance = await instances.get(key);
    if (!instance) return notFound;
    if (method === "POST" && action === "restart") await instance.restart();
    else if (method === "DELETE" && action === undefined) {
      instances.delete(key);
      await instance.stop();
    } else return notFound;
    return { status: 204 };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    send(response, await answer(request.method, request.url ?? "/").catch(failed));
  }

  const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the control channel has no port");

  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      const started = await Promise.allSettled(instances.values());
      await Promise.all(started.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.stop() : undefined)));
    },
  };
}

interface Reply {
  status: number;
  body?: { id: string; url: string } | { reason: string };
}

const notFound: Reply = { status: 404, body: { reason: "no such service or instance" } };

function failed(error: unknown): Reply {
  return { status: 500, body: { reason: error instanceof Error ? error.message : String(error) } };
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.statusCode = status;
  if (!body) {
    response.end();
    return;
  }
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}
