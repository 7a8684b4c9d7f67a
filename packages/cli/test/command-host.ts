/**
 * Runs commands one after another in this process, each as `main.ts` runs one in a process of its own: in a directory of its
 * own, with input and output of its own. To start a process takes longer than almost every command does.
 */

import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { COMMANDS } from "../src/commands.ts";
import { run } from "../src/run.ts";
import type { HostedCommand, Outcome } from "./hosted-commands.ts";

process.on("message", async (command: HostedCommand) => process.send?.(await execute(command)));
process.once("disconnect", () => process.exit());

async function execute({ directory, configDirectory, args, input }: HostedCommand): Promise<Outcome> {
  process.chdir(directory);
  process.env.XDG_CONFIG_HOME = configDirectory;
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  for (const [name, stream] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value: stream, configurable: true });
  }
  streams.stdin.end(input);
  const output = [buffer(streams.stdout), buffer(streams.stderr)] as const;
  // What Node does with an error that nothing catches.
  const code = await run(args, { name: "portico", commands: COMMANDS }).catch((error: Error) => {
    streams.stderr.write(`Uncaught ${error.stack}\n`);
    return 1;
  });
  streams.stdout.end();
  streams.stderr.end();
  const [stdout, stderr] = await Promise.all(output);
  return { code, stdout: stdout.toString(), stderr: stderr.toString() };
}
