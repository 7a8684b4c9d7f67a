import { begin } from "./begin.ts";
import { run } from "./run.ts";
import { SERVICE_COMMANDS } from "./service-commands.ts";

// Without a command it is the service.
await begin((args) =>
  run(args.length === 0 ? ["serve"] : args, { name: "portico-server", commands: SERVICE_COMMANDS }),
);
