import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { stagePackage } from "../stage.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const MODULES = join(REPOSITORY, "node_modules");
const run = promisify(execFile);

/** A temporary folder with packages installed from their tarballs, as those who use them have it. */
export interface Project extends AsyncDisposable {
  directory: string;
  /** The files in the package's tarball, with its size in bytes. */
  files: readonly string[];
  packedBytes: number;
  write(file: string, text: string): Promise<string>;
  read(file: string): Promise<string>;
  /** Runs a program in the folder. @throws Error with its output when it fails. */
  run(program: string, ...args: string[]): Promise<{ stdout: string; stderr: string }>;
}

/**
 * Packs a package of the workspace and installs it into a new folder. Nothing is fetched: what it depends on is packed
 * from the repository's installed packages.
 *
 * @param beside packages of the repository to install too, such as those that it wants beside it.
 */
export async function installed(folder: string, beside: readonly string[] = []): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), `portico-${folder}-`));
  const staged = join(directory, "staged");
  const tarballs = join(directory, "tarballs");
  const project = join(directory, "project");
  await stagePackage(join(REPOSITORY, "packages", folder), staged);
  for (const each of [tarballs, project]) await mkdir(each);
  const [packed, ...others] = await pack([staged, ...(await withDependencies(staged, beside))], tarballs);
  if (packed === undefined) throw new Error("npm packed nothing");
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "a-bot", private: true, type: "module" }));
  const files = [packed, ...others].map(({ filename }) => join(tarballs, filename));
  await run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...files], { cwd: project });
  return {
    directory: project,
    files: packed.files.map(({ path }) => path),
    packedBytes: packed.size,
    async write(file, text) {
      const path = join(project, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return path;
    },
    read: (file) => readFile(join(project, file), "utf8"),
    async run(program, ...args) {
      return await run(program, args, { cwd: project, env: { ...process.env, XDG_CONFIG_HOME: directory } }).catch(
        (error) => {
          throw new Error(`${program} ${args.join(" ")} failed:\n${error.message}\n${error.stdout}${error.stderr}`);
        },
      );
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

interface Packed {
  filename: string;
  size: number;
  files: readonly { path: string }[];
}

async function pack(folders: readonly string[], destination: string): Promise<Packed[]> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination, ...folders];
  const { stdout } = await run("npm", args, { cwd: destination, maxBuffer: 16 * 1024 * 1024 });
  const packed: Packed[] | Record<string, Packed> = JSON.parse(stdout);
  return Array.isArray(packed) ? packed : Object.values(packed);
}

/** The folders of the packages that the staged one needs, and those that they need. */
async function withDependencies(staged: string, beside: readonly string[]): Promise<string[]> {
  const folders = new Set<string>();
  const waiting = [...(await dependenciesOf(staged)), ...beside].map((name) => join(MODULES, name));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folders.has(folder)) continue;
    folders.add(folder);
    for (const name of await dependenciesOf(folder)) {
      // A version of its own, where another package has a different one.
      const own = join(folder, "node_modules", name);
      waiting.push(existsSync(own) ? own : join(MODULES, name));
    }
  }
  return [...folders];
}

async function dependenciesOf(folder: string): Promise<string[]> {
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return Object.keys(dependencies);
}
