import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";

const SERVER = resolve(import.meta.dirname, "../../packages/server");
const CLI = resolve(import.meta.dirname, "../../packages/cli");
/** What tests start, by the name of the program that is built of it. */
const PROGRAMS = {
  main: join(SERVER, "src/main.ts"),
  "cheap-hashes": join(SERVER, "test/support/cheap-hashes.ts"),
  "clock-file-service": join(SERVER, "test/support/clock-file-service.ts"),
  portico: join(CLI, "src/main.ts"),
};
/** They look for files beside their own, or must be in a process once. */
const AS_INSTALLED = /^(?:better-sqlite3|pino|pino-pretty|@opentelemetry\/.*|@aws-sdk\/.*)$/;

/**
 * Builds the programs that tests start into `dir`, each of a few files: to find and load the 2,700 files of a service is most
 * of the processor time of its start. Returns the environment variable that names them to `builtOf`.
 *
 * @param dir absolute, below the repository's node_modules, for what is not built into them. The files keep their names, so
 *     that those of a run replace those of the run before, as what is kept of their compilation does.
 */
export async function buildService(dir: string): Promise<Record<string, string>> {
  const bundle = await rolldown({
    input: PROGRAMS,
    platform: "node",
    external: (id) => id.startsWith("node:") || AS_INSTALLED.test(id),
    plugins: [ownPlaces()],
    logLevel: "warn",
  });
  try {
    const names = { entryFileNames: "[name].mjs", chunkFileNames: "part-[name].mjs" };
    const { output } = await bundle.generate({ format: "esm", keepNames: true, ...names });
    await mkdir(dir, { recursive: true });
    for (const part of output) if (part.type === "chunk") await replace(join(dir, part.fileName), part.code);
  } finally {
    await bundle.close();
  }
  const built = Object.entries(PROGRAMS).map(([name, source]) => [source, join(dir, `${name}.mjs`)]);
  return { PORTICO_TEST_BUILT_SERVICE: JSON.stringify(Object.fromEntries(built)) };
}

/** What a source file finds beside it, as programs of threads, it finds from the built program too. */
function ownPlaces(): Plugin {
  return {
    name: "own-places",
    transform: {
      filter: { id: /\.ts$/, code: /import\.meta\.url/ },
      handler: (code, id) => code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
    },
  };
}

/** Leaves a file alone that is so already, which a service of another run may be reading. */
async function replace(path: string, content: string): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => null)) === content) return;
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}
