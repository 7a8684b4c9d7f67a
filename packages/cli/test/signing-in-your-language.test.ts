import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { onPath } from "../../web/test/support/browser.ts";
import { type DemoService, startDemoService } from "./demo-service.ts";

const PAGE = readFileSync(resolve(import.meta.dirname, "../../../docs/signing-in-your-language.md"), "utf8");
const BLOCKS = [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, mark = "", code = ""]) => ({ mark, code }));
const run = promisify(execFile);

/** The query of the page's programs, and one that has everything that can be written in different ways. */
const QUERY = "targetType=GROUP&status=ACTIVE";
const AWKWARD =
  "targetType=GROUP&status=ACTIVE&b=2&B=1&%62=10&&q=a+b&q=a%2bb&q=a%20b&x&=y&z=1=2&%e6%9e%84=%7E!*()_.-&%5C=%25";

/** How each language's program is run: the mark of its block, its file, what it needs, and the command. */
const LANGUAGES: readonly { mark: string; file: string; needs: readonly string[]; command: readonly string[] }[] = [
  { mark: "ts", file: "call.ts", needs: [], command: [process.execPath, "call.ts"] },
  { mark: "python", file: "call.py", needs: ["python3"], command: ["python3", "call.py"] },
  { mark: "go", file: "main.go", needs: ["go"], command: ["go", "run", "main.go"] },
  { mark: "java", file: "Main.java", needs: ["java", "javac"], command: ["java", "Main.java"] },
  { mark: "bash", file: "call.sh", needs: ["bash", "openssl", "curl"], command: ["bash", "call.sh"] },
];

describe("the page on signing in each language", () => {
  let service: DemoService;
  before(async () => {
    service = await startDemoService();
  });
  after(() => service?.[Symbol.asyncDispose]());

  for (const { mark, file, needs, command } of LANGUAGES) {
    const missing = needs.filter((program) => onPath(program) === null);
    const skip = missing.length > 0 && `no ${missing.join(", ")} on this machine`;
    it(`has a program in ${mark} whose calls the service answers, whatever the query`, { skip }, async () => {
      const [code = "", ...others] = BLOCKS.filter((block) => block.mark === mark).map((block) => block.code);
      assert.deepEqual(others, []);
      assert.equal(code.split(QUERY).length, 2, "the program has the query that is replaced");
      const path = await service.write(`${mark}/${file}`, code.replace(QUERY, AWKWARD));
      const { cli } = JSON.parse(await service.read("data/demo.json"));
      const env = {
        ...process.env,
        PORTICO_URL: service.baseUrl,
        APP_ID: cli.appId,
        CREDENTIAL_ID: cli.credentialId,
        APP_SECRET: cli.appSecret,
        GROUP_ID: "g_demo",
      };
      const said = await service.readGroup();
      const [program = "", ...args] = command;
      const { stdout } = await run(program, args, { cwd: dirname(path), env });
      assert.match(stdout, /"targetId":"g_demo"/, stdout);
      assert.match(stdout, /"messageId":\d+/, stdout);
      assert.doesNotMatch(stdout, /"code":"4/);
      assert.deepEqual((await service.readGroup()).slice(said.length), ["Demo bot: 构建 12 ✓"]);
    });
  }

  it("has no other program", () => {
    const marks = BLOCKS.map((block) => block.mark);
    assert.deepEqual(marks.sort(), ["sh", ...LANGUAGES.map(({ mark }) => mark)].sort());
  });
});
