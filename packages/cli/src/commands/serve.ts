import { parseArgs } from "node:util";
import { type Command, UsageError } from "../command.ts";

/** `portico serve`: the service, in this process. */
export const serve: Command = {
  name: "serve",
  summary: "Run the service",
  usage: "portico serve",
  help: `Configuration comes from the environment and from the JSON file that PORTICO_CONFIG names; docs/configuration.md
lists all keys. The service stops on SIGTERM or SIGINT, after finishing what is in flight.`,
  async run(args) {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
    if (positionals.length > 0) throw new UsageError("takes no arguments; configuration comes from the environment");
    // Loaded here only, so that the other commands start fast.
    const { main } = await import("@portico/server");
    await main();
  },
};
