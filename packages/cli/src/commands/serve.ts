import type { Command } from "../command.ts";
import { serverModule } from "../server-module.ts";

/** `portico serve`: runs the service in this process. */
export const serve: Command = {
  name: "serve",
  summary: "Run the service",
  usage: "portico serve",
  notes: `Configuration comes from the environment and from the JSON file that PORTICO_CONFIG names; docs/configuration.md
lists all keys. The service stops on SIGTERM or SIGINT, after finishing what is in flight.`,
  examples: ["portico serve", "PORTICO_CONFIG=portico.json portico serve"],
  tooMany: "; configuration comes from the environment",
  configure: (command) =>
    command.action(async () => {
      const { main } = await serverModule("serve");
      await main();
    }),
};
