import { FailureError } from "./command.ts";

/**
 * The service, for the commands that run it or open its database. It is there in the repository; who installs
 * `@portico/cli` gets a command without it, which also runs where no service could.
 *
 * @throws FailureError that names the command to use instead.
 */
export async function serverModule(command: string): Promise<typeof import("@portico/server")> {
  try {
    // Imported only here, so that the other commands start quickly.
    return await import("@portico/server");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    if (!error.message.includes("@portico/server")) throw error;
    throw new FailureError(
      "this needs the service, which this package does not hold\n" +
        `It belongs to @portico/server: run \`npx @portico/server ${command}\`, or \`npx portico ${command}\` in the repository of the service.`,
    );
  }
}
