import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answer, CREDENTIAL, startService } from "../../packages/sdk/test/service.ts";
import { installed, type Project } from "./testing/project.ts";
import { RUNTIMES } from "./testing/runtimes.ts";

const PORTICO = "node_modules/@portico/cli/dist/esm/main.js";

let project: Project;
before(async () => {
  project = await installed("cli");
});
after(() => project[Symbol.asyncDispose]());

for (const { name, program, missing } of RUNTIMES.filter((runtime) => runtime.name.startsWith("Node"))) {
  test(`on ${name} the installed portico shows its app, and its help`, { skip: missing }, async () => {
    await using service = await startService((response) => {
      const app = { appId: "app_demo", type: "BOT", status: "ACTIVE", displayName: "Demo", avatar: "", scopes: [] };
      answer(response, 200, "000000", { items: [app] });
    });
    await project.write("profile.json", JSON.stringify({ ...CREDENTIAL, baseUrl: service.baseUrl }));
    const { stdout } = await project.run(program, PORTICO, "whoami", "--profile", "profile.json");
    assert.match(stdout, /^app +app_demo$/m);
    assert.equal(service.requests[0]?.signatureMatches, true);
    assert.match((await project.run(program, PORTICO, "--help")).stdout, /^usage: portico COMMAND/);
  });
}

test("npm links the installed command as portico", async () => {
  const { stdout } = await project.run("npx", "--no", "portico", "sign", "--help");
  assert.match(stdout, /^usage: portico sign/);
});

for (const args of [["serve"], ["provision", "world.json"]]) {
  test(`the installed portico says where ${args[0]} is: it holds no service`, async () => {
    await project.write("world.json", "{}");
    await assert.rejects(
      project.run(process.execPath, PORTICO, ...args),
      new RegExp(
        `portico ${args[0]}: this needs the service, which this package does not hold\nIt belongs to @portico/server`,
      ),
    );
  });
}

test("the tarball has the command alone", () => {
  assert.deepEqual(project.files.toSorted(), ["LICENSE", "README.md", "dist/esm/main.js", "package.json"].toSorted());
});
