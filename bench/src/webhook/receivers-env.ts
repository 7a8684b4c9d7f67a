import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_CA } from "../../../packages/server/test/support/certificates.ts";

/**
 * Environment variables that let a service call receivers of this process; the file they name is removed with `opened`.
 */
export async function receiversEnv(opened: AsyncDisposableStack): Promise<Record<string, string>> {
  const dir = await mkdtemp(join(tmpdir(), "portico-bench-authority-"));
  opened.defer(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, "authority.pem");
  await writeFile(file, TEST_CA);
  return { NODE_EXTRA_CA_CERTS: file, PORTICO_WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8" };
}
