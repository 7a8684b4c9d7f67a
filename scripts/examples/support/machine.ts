import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { findFreePort } from "../../test-services/free-port.ts";
import { startRegistry } from "./local-registry.ts";
import { Running } from "./running.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
/** Packing writes into the package that it packs, and reads those that it bundles: these are not the repository's own. */
const COPIED = new Set(["sdk", "protocol"]);

/** A reader's machine. */
export interface Machine extends AsyncDisposable {
  /** The clone, in a folder that has nothing else for the reader. */
  clone: string;
  /** Where the service is, once a command has started it. */
  url: string;
  /** Types the commands of a terminal in the clone, one after another, but for the port and `npm ci`. */
  type(commands: string): Running;
}

/** Makes an empty folder with a clone in it, a registry for what the guide installs, and a port for the service. */
export async function makeMachine(): Promise<Machine> {
  const folder = await mkdtemp(join(process.env.PORTICO_TEST_DATA ?? tmpdir(), "portico-quickstart-"));
  const [clone, scratch] = [join(folder, "portico"), join(folder, "scratch")];
  await mkdir(scratch);
  await makeClone(clone);
  const registry = await startRegistry(["ws"], scratch);
  const port = String(await findFreePort());
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    PORTICO_PORT: port,
    npm_config_registry: registry.url,
    npm_config_cache: join(scratch, "cache"),
    XDG_CONFIG_HOME: join(scratch, "config"),
  };
  return {
    clone,
    url: `http://127.0.0.1:${port}`,
    type(commands) {
      const typed = commands.replaceAll("npm ci && ", "").replaceAll("localhost:8080", `localhost:${port}`);
      return Running.start(["bash", "-euo", "pipefail", "-c", typed], clone, env);
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** A folder like a clone after `npm ci`, most of which is the repository's. */
async function makeClone(clone: string): Promise<void> {
  const modules = join(clone, "node_modules");
  for (const folder of ["packages", "node_modules/@portico"]) await mkdir(join(clone, folder), { recursive: true });
  for (const name of ["package.json", "tsconfig.json", "LICENSE"])
    await copy(join(REPOSITORY, name), join(clone, name));
  for (const name of ["scripts", "examples"]) await copy(join(REPOSITORY, name), join(clone, name));
  for (const name of await readdir(join(REPOSITORY, "node_modules"))) {
    if (name !== "@portico") await symlink(join(REPOSITORY, "node_modules", name), join(modules, name));
  }
  for (const name of await readdir(join(REPOSITORY, "packages"))) {
    const [from, to] = [join(REPOSITORY, "packages", name), join(clone, "packages", name)];
    await (COPIED.has(name) ? copy(from, to) : symlink(from, to));
    await symlink(to, join(modules, "@portico", name));
  }
}

async function copy(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !/\/(?:node_modules|dist)$|\.tgz$/.test(path) });
}
