import { after, before, describe } from "node:test";
import { testBots } from "./bots.ts";
import { testServers } from "./servers.ts";
import { type InstalledExamples, installExamples } from "./support/installed-examples.ts";
import { testWidget } from "./widget.ts";

describe("the examples", () => {
  let examples: InstalledExamples;
  before(async () => {
    examples = await installExamples();
  });
  after(() => examples?.[Symbol.asyncDispose]());

  testBots(() => examples);
  testServers(() => examples);
  testWidget(() => examples);
});
