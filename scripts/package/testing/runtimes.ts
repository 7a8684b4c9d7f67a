import { existsSync } from "node:fs";
import { join } from "node:path";

const MODULES = join(import.meta.dirname, "../runtimes/node_modules");
const ARCH = process.arch;

/** A program that runs JavaScript. */
export interface Runtime {
  name: string;
  program: string;
  /** Goes before the name of the script. */
  args: readonly string[];
  /** Why it cannot be tried here; false when it can. */
  missing: string | false;
}

/** The runtimes that the packages are for. `npm run runtimes` installs those besides the repository's own Node. */
export const RUNTIMES: readonly Runtime[] = [
  runtime("Node 20", `node-20-${ARCH}/bin/node`),
  runtime("Node 22", `node-22-${ARCH}/bin/node`),
  { name: "Node 24", program: process.execPath, args: [], missing: false },
  runtime("Node 26", `node-26-${ARCH}/bin/node`),
  runtime("Bun", `@oven/bun-linux-${ARCH === "arm64" ? "aarch64" : ARCH}/bin/bun`),
  // Of what Deno asks about, a bot needs the network and the environment that `ws` reads.
  runtime("Deno", `@deno/linux-${ARCH}-glibc/deno`, ["run", "--allow-net", "--allow-env", "--allow-read", "--no-lock"]),
];

function runtime(name: string, path: string, args: readonly string[] = []): Runtime {
  const program = join(MODULES, path);
  return { name, program, args, missing: existsSync(program) ? false : `${name} is not here: npm run runtimes` };
}
