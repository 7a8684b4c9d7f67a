import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../../../scripts/test-services/free-port.ts";
import { TEST_CA } from "../../../server/test/support/certificates.ts";
import { type ServerProcess, startProcess } from "../../../server/test/support/process.ts";

/** The service with password hashes that cost little, since pages sign in often. */
const CHEAP_HASHES = fileURLToPath(new URL("../../../server/test/support/cheap-hashes.ts", import.meta.url));

/** How the accounts of a demo world sign in. */
interface DemoAccounts {
  members: { username: string; password: string; userId: string }[];
  developers: { phone: string; password: string; channelId: number; operator: boolean }[];
  apps: { appId: string; credentials: { credentialId: string; appSecret: string }[] }[];
}

/**
 * The service as `npm start` runs it, passwords apart, on an empty data directory: with the pages that were built, and the demo world. It may
 * call receivers of tests, on this machine and with their certificates.
 */
export class DemoService {
  readonly #env: Record<string, string>;
  #process: ServerProcess;
  readonly url: string;
  readonly accounts: DemoAccounts;

  private constructor(env: Record<string, string>, process: ServerProcess, url: string, accounts: DemoAccounts) {
    this.#env = env;
    this.#process = process;
    this.url = url;
    this.accounts = accounts;
  }

  static async start(env: Record<string, string> = {}): Promise<DemoService> {
    const folder = mkdtempSync(join(process.env.PORTICO_TEST_DATA ?? tmpdir(), "portico-web-"));
    const dataDir = join(folder, "data");
    const authority = join(folder, "ca.pem");
    writeFileSync(authority, TEST_CA);
    const port = env.PORTICO_PORT ?? (await findFreePort());
    const all = {
      PORTICO_PORT: String(port),
      PORTICO_DATA_DIR: dataDir,
      PORTICO_WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
      NODE_EXTRA_CA_CERTS: authority,
      ...env,
    };
    const server = await startProcess(all, CHEAP_HASHES);
    const { provision } = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
    // Browsers keep a Secure cookie of http://localhost, not of http://127.0.0.1.
    return new DemoService(all, server, `http://localhost:${port}`, provision);
  }

  get dataDir(): string {
    return this.#env.PORTICO_DATA_DIR ?? "";
  }

  member(username: string) {
    return found(this.accounts.members.find((member) => member.username === username));
  }

  /** The developer who has the applications of the demo. */
  get developer() {
    return found(this.accounts.developers.find(({ operator }) => !operator));
  }

  get operator() {
    return found(this.accounts.developers.find(({ operator }) => operator));
  }

  app(appId: string) {
    return found(this.accounts.apps.find((app) => app.appId === appId));
  }

  /** Ends the process as a power cut would, or lets it finish. */
  async halt(signal: NodeJS.Signals): Promise<void> {
    await this.#process.end(signal);
  }

  /** Starts it again on the same data and the same port. */
  async resume(): Promise<void> {
    this.#process = await startProcess(this.#env, CHEAP_HASHES);
  }

  async stop(): Promise<void> {
    await this.#process.end("SIGTERM");
    rmSync(dirname(this.dataDir), { recursive: true });
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the demo world lacks what the test needs");
  return value;
}
