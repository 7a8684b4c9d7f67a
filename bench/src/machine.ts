import { execFileSync } from "node:child_process";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { arch, availableParallelism, cpus, loadavg, platform, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { medianOf } from "./load/latencies.ts";

/** The properties of the machine that explain the figures. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryBytes: number;
  system: string;
  node: string;
  /** Median time of a 4 KiB write with its sync, on the disk of the data directories. */
  syncMs: number;
  /** Load average of the minute before the run, which shows other work on the machine. */
  loadBefore: number;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    syncMs: measureSyncMs(),
    loadBefore: loadavg()[0] ?? 0,
  };
}

/** Hundredths of a second that Linux reports of all cores together: those that passed, and those that a host took. */
interface CoreTime {
  all: number;
  stolen: number;
}

/**
 * Watches what the host of a virtual machine takes from it: the returned function gives the share of all cores' time
 * since then; null when the system does not report it.
 */
export function watchStolenTime(): () => number | null {
  const before = coreTime();
  return () => {
    const now = coreTime();
    return before && now && (now.stolen - before.stolen) / (now.all - before.all);
  };
}

function coreTime(): CoreTime | null {
  let line: string;
  try {
    line = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "";
  } catch {
    return null;
  }
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is contained in the first two.
  const times = line.split(/\s+/).slice(1, 9).map(Number);
  const [stolen] = times.slice(7);
  return stolen === undefined ? null : { all: times.reduce((sum, time) => sum + time, 0), stolen };
}

const SYNCS = 50;

function measureSyncMs(): number {
  const dir = mkdtempSync(join(tmpdir(), "portico-bench-sync-"));
  try {
    const file = openSync(join(dir, "file"), "w");
    const block = Buffer.alloc(4_096, 1);
    const times = Array.from({ length: SYNCS }, () => {
      const startedMs = performance.now();
      writeSync(file, block);
      fdatasyncSync(file);
      return performance.now() - startedMs;
    });
    closeSync(file);
    return medianOf(times);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The cores of the server under test and of the load generator; null when the system chooses. */
export interface Placement {
  serverCore: number | null;
  generatorCores: number[] | null;
  /** All cores that this process had at the start. */
  allCores: number[];
  /** The placement in words. */
  description: string;
}

/** One core for the server, the others for the generator; when that is not possible, the description says why. */
export function choosePlacement(): Placement {
  const allCores = allowedCores();
  const [serverCore, ...others] = allCores;
  const free = (reason: string) => {
    return { serverCore: null, generatorCores: null, allCores, description: `not pinned: ${reason}` };
  };
  if (serverCore === undefined) return free("this system does not tell which cores may be used");
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
  } catch {
    return free("there is no taskset");
  }
  const generatorCores = others.length > 0 ? others : [serverCore];
  const where =
    others.length > 0
      ? `load generator on ${others.join(", ")}`
      : "and the load generator too, because there is no other";
  return { serverCore, generatorCores, allCores, description: `server on core ${serverCore}, ${where} (taskset)` };
}

/** Moves all threads of this process onto the generator's cores; disposal moves them back onto all cores. */
export function moveToGeneratorCores({ generatorCores, allCores }: Placement): Disposable {
  if (generatorCores === null) return { [Symbol.dispose]() {} };
  moveTo(generatorCores);
  return { [Symbol.dispose]: () => moveTo(allCores) };
}

function moveTo(cores: number[]): void {
  const args = ["--all-tasks", "--cpu-list", "--pid", cores.join(","), String(process.pid)];
  execFileSync("taskset", args, { stdio: "ignore" });
}

/** Cores that this process may use, for example [0, 1]; empty when the system does not report them. */
function allowedCores(): number[] {
  let status: string;
  try {
    status = readFileSync("/proc/self/status", "utf8");
  } catch {
    return [];
  }
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? "";
  return list.split(",").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    if (first === undefined || last === undefined) return [];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
