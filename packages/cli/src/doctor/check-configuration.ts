import type { Finding } from "./finding.ts";

/** Variables that developers set, too, or that belong to other commands. */
const NOT_OF_SERVICES = new Set([
  "PORTICO_BASE_URL",
  "PORTICO_BROWSER",
  "PORTICO_BACKUP_PASSPHRASE",
  "PORTICO_BACKUP_PASSPHRASE_FILE",
]);

/** Whether the environment configures a service, beside the address by which developers name one. */
export function configuresService(env: NodeJS.ProcessEnv): boolean {
  return Object.keys(env).some(
    (name) => name.startsWith("PORTICO_") && !name.startsWith("PORTICO_TEST_") && !NOT_OF_SERVICES.has(name),
  );
}

/** Looks whether a service would find what its configuration names. */
export async function checkConfiguration(
  server: typeof import("@portico/server"),
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  return await server.checkConfiguration(env);
}
