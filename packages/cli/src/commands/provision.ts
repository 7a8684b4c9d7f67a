import { parseArgs } from "node:util";
import { type Command, FailureError, onlyArgument } from "../command.ts";
import { columns, print } from "../terminal.ts";

/** `portico provision FILE`: brings the store to what a provisioning file declares. */
export const provision: Command = {
  name: "provision",
  summary: "Apply a provisioning file to the store",
  usage: "portico provision FILE",
  help: `FILE is JSON and declares tenants, members, groups, developers and apps. Applying it again changes nothing.
Configuration is that of \`portico serve\`.`,
  async run(args) {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
    const file = onlyArgument(positionals, "FILE");
    // Loaded here only, so that the other commands start fast.
    const { provisionFromFile } = await import("@portico/server");
    const summary = await provisionFromFile(file, process.env).catch((cause: unknown) => {
      throw new FailureError(cause instanceof Error ? cause.message : String(cause), { cause });
    });
    const rows = Object.entries(summary).map(([kind, count]) => [kind, String(count)] as const);
    if (rows.length > 0) print(...columns(rows));
  },
};
