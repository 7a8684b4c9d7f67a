import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type DemoService, startDemoService } from "../../../packages/cli/test/demo-service.ts";
import { MemberClient } from "../../../packages/server/test/support/member.ts";
import { stagePackage } from "../../package/stage.ts";
import { startRegistry } from "./local-registry.ts";
import { Running } from "./running.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

/** A service with the demo world, and beside its data the examples, as somebody has them who has cloned the repository. */
export interface InstalledExamples extends AsyncDisposable {
  service: DemoService;
  alice: MemberClient;
  /** Everything that the demo world has: accounts and credentials. */
  demo: Demo;
  /** Packs the SDK once; then installs an example, with the credential of an application of the demo. */
  install(example: string, appId: string): Promise<void>;
  /** Runs an example until it is stopped. */
  start(example: string, command: readonly [string, ...string[]], env?: Record<string, string>): Running;
  /** Runs a command in the folder of an example, to its end. @returns what it has written. */
  run(example: string, program: string, ...args: string[]): Promise<string>;
  /** Has the demo's developer subscribe an application's events by socket. */
  subscribe(appId: string, ...eventTypes: string[]): Promise<void>;
}

interface Demo {
  member: Parameters<typeof MemberClient.signIn>[1];
  provision: { members: { username: string; password: string }[] };
}

/** Starts the service and copies the examples to it. */
export async function installExamples(): Promise<InstalledExamples> {
  const service = await startDemoService(async () => ({ PORTICO_WEBHOOK_RETRY_DELAYS: "100ms" }));
  const folder = join(dirname(await service.write("marker", "")), "examples");
  const scratch = await mkdtemp(join(tmpdir(), "portico-examples-"));
  await cp(join(REPOSITORY, "examples"), folder, {
    recursive: true,
    filter: (path) => !/node_modules|\.tgz$/.test(path),
  });
  const registry = await startRegistry(["ws"], scratch);
  // Nothing of the person's own npm: neither its settings nor its cache.
  const npm = { npm_config_registry: registry.url, npm_config_cache: join(scratch, "cache") };
  const demo: Demo = JSON.parse(await service.read("data/demo.json"));
  const runIn = async (example: string, [program, ...args]: readonly [string, ...string[]]) => {
    const cwd = join(folder, example);
    const { stdout } = await run(program, args, { cwd, env: { ...process.env, ...npm } }).catch((error) => {
      throw new Error(`${program} ${args.join(" ")} failed:\n${error.stdout}${error.stderr}`, { cause: error });
    });
    return stdout;
  };
  let packed: Promise<void> | undefined;
  return {
    service,
    demo,
    alice: await MemberClient.signIn({ url: service.baseUrl }, demo.member),
    async install(example, appId) {
      packed ??= packSdk(scratch, folder);
      await packed;
      await runIn(example, ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]);
      const profile = await runIn(example, [process.execPath, "../demo-profile.js", appId]);
      await service.write(`examples/${example}/profile.json`, profile);
    },
    start: (example, command, env) => Running.start(command, join(folder, example), env),
    run: (example, ...command) => runIn(example, command),
    async subscribe(appId, ...eventTypes) {
      for (const type of eventTypes) {
        const { code, stderr } = await service.portico(["subscribe", appId, type, "--socket"]);
        if (code !== 0) throw new Error(stderr);
      }
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await rm(scratch, { recursive: true });
    },
  };
}

/** What `npm pack -w @portico/sdk --pack-destination examples` does, without touching the repository. */
async function packSdk(scratch: string, destination: string): Promise<void> {
  const staged = join(scratch, "sdk");
  await mkdir(staged);
  await stagePackage(join(REPOSITORY, "packages/sdk"), staged);
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", staged], { cwd: scratch });
  const [packed] = Object.values<{ filename: string }>(JSON.parse(stdout));
  if (packed === undefined) throw new Error("npm packed nothing");
  await cp(join(scratch, packed.filename), join(destination, packed.filename));
}
