import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { closureOf, type Place, readLock } from "../shrinkwrap.ts";
import { stagePackage } from "../stage.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

/** Lays the packages for this platform below `project`, inner ones after those that hold them. */
async function layPackages(places: readonly Place[], project: string): Promise<void> {
  for (const { place, from } of places) {
    const source = join(REPOSITORY, from);
    // One for another platform.
    if (!existsSync(source)) continue;
    const target = join(project, place);
    await mkdir(dirname(target), { recursive: true });
    await copyLinked(source, target);
    await rm(join(target, "node_modules"), { recursive: true, force: true });
  }
}

async function copyLinked(source: string, target: string): Promise<void> {
  // Links are not possible from one disk to another.
  await run("cp", ["-al", source, target]).catch(() => run("cp", ["-a", source, target]));
}

/** The result of a command. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder in which a packed program is installed. */
export interface InstalledProgram extends AsyncDisposable {
  directory: string;
  /** The files in its tarball, with its size in bytes. */
  files: readonly string[];
  packedBytes: number;
  manifest: { dependencies: Record<string, string>; bin: Record<string, string>; version: string };
  /** The file of its command. */
  bin: string;
  start(args: readonly string[], env?: Record<string, string>): ChildProcessWithoutNullStreams;
  run(args: readonly string[], env?: Record<string, string>, input?: string): Promise<Outcome>;
}

/**
 * Packs a program of the workspace and unpacks the tarball as an installed package. Beside it is what its own lock file
 * lists, and nothing else, as npm would lay it; nothing is fetched, and files are linked rather than copied.
 */
export async function installedProgram(folder: string): Promise<InstalledProgram> {
  const directory = await mkdtemp(join(tmpdir(), `portico-${folder}-`));
  const staged = join(directory, "staged");
  await stagePackage(join(REPOSITORY, "packages", folder), staged);
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", directory, staged], {
    cwd: directory,
    maxBuffer: 16 * 1024 * 1024,
  });
  const answer = JSON.parse(stdout);
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer);
  await rm(staged, { recursive: true });
  const project = join(directory, "project");
  const modules = join(project, "node_modules");
  const home = join(modules, packed.name);
  await mkdir(home, { recursive: true });
  await run("tar", ["-xzf", join(directory, packed.filename), "-C", home, "--strip-components=1"]);
  const manifest = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  await layPackages(closureOf((await readLock()).packages, `packages/${folder}`, manifest.dependencies), project);
  const [script] = Object.values<string>(manifest.bin);
  if (script === undefined) throw new Error("it has no command");
  const bin = join(home, script);
  await chmod(bin, 0o755);
  const start = (args: readonly string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, [bin, ...args], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: directory, ...env },
    });
  return {
    directory: project,
    files: packed.files.map(({ path }: { path: string }) => path),
    packedBytes: packed.size,
    manifest,
    bin,
    start,
    async run(args, env, input = "") {
      const child = start(args, env);
      child.stdin.on("error", () => {}).end(input);
      const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
      const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
      return { code, stdout: out, stderr: err };
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}
