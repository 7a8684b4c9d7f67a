import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const MODULES = resolve(import.meta.dirname, "../../../node_modules");
const run = promisify(execFile);

/** A registry of npm on this machine, which has nothing but the packages that it was given. */
export interface LocalRegistry extends AsyncDisposable {
  url: string;
}

/**
 * Serves packages that the repository has installed, so that `npm install` works as it stands and fetches nothing.
 *
 * @param scratch a directory for their tarballs.
 */
export async function startRegistry(names: readonly string[], scratch: string): Promise<LocalRegistry> {
  const packages = new Map<string, { manifest: { version: string }; tarball: Buffer }>();
  for (const name of names) {
    const folder = join(MODULES, name);
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch, folder];
    const { stdout } = await run("npm", args, { cwd: scratch });
    const [packed] = Object.values<{ filename: string }>(JSON.parse(stdout));
    if (packed === undefined) throw new Error(`npm packed nothing of ${name}`);
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    packages.set(name, { manifest, tarball: await readFile(join(scratch, packed.filename)) });
  }
  const server = createServer((request, response) => {
    const [name = "", isTarball] = (request.url ?? "").slice(1).split("/-/");
    const found = packages.get(decodeURIComponent(name));
    if (found === undefined) return response.writeHead(404).end("{}");
    if (isTarball !== undefined) return response.end(found.tarball);
    const { version } = found.manifest;
    const dist = { tarball: `http://${request.headers.host}/${name}/-/package.tgz` };
    const versions = { [version]: { ...found.manifest, dist } };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
