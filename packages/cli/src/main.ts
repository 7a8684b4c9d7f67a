#!/usr/bin/env node
import { begin } from "./begin.ts";
import { COMMANDS } from "./commands.ts";
import { run } from "./run.ts";

await begin((args) => run(args, { name: "portico", commands: COMMANDS }));
