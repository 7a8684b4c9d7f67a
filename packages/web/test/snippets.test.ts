import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { canonicalQuery } from "@portico/protocol";
import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { bashSnippet } from "../src/shared/calls/snippets/bash.ts";
import { goSnippet } from "../src/shared/calls/snippets/go.ts";
import { javaSnippet } from "../src/shared/calls/snippets/java.ts";
import { pythonSnippet } from "../src/shared/calls/snippets/python.ts";
import type { SnippetCall } from "../src/shared/calls/snippets/snippet-call.ts";
import { typescriptSnippet } from "../src/shared/calls/snippets/typescript.ts";
import { onPath } from "./support/browser.ts";
import { DemoService } from "./support/demo-service.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

/** A text that every language has to write in its own way. */
const AWKWARD = `构建 ✓ 😀 'one' "two" \`three\` \\four $(five) \${six} '''seven''' %s \u2028 </script>`;
const FILE_NAME = `re"port é.txt`;

/** How a language's snippet is run: the file that it goes into, and the commands. */
interface Toolchain {
  name: string;
  write: (call: SnippetCall) => string;
  file: string;
  needs: readonly string[];
  command: readonly [program: string, ...args: string[]];
}

const TOOLCHAINS: readonly Toolchain[] = [
  {
    name: "curl",
    write: bashSnippet,
    file: "call.sh",
    needs: ["bash", "openssl", "curl"],
    command: ["bash", "call.sh"],
  },
  { name: "Python", write: pythonSnippet, file: "call.py", needs: ["python3"], command: ["python3", "call.py"] },
  { name: "TypeScript", write: typescriptSnippet, file: "call.ts", needs: [], command: [process.execPath, "call.ts"] },
  { name: "Go", write: goSnippet, file: "main.go", needs: ["go"], command: ["go", "run", "main.go"] },
  { name: "Java", write: javaSnippet, file: "Main.java", needs: ["java", "javac"], command: ["java", "Main.java"] },
];

describe("a call as code", () => {
  let service: DemoService;
  let folder: string;
  before(async () => {
    service = await DemoService.start();
    folder = mkdtempSync(join(tmpdir(), "portico-snippets-"));
    symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  });
  after(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { name, write, file, needs, command } of TOOLCHAINS) {
    const missing = needs.filter((program) => onPath(program) === null);
    const skip = missing.length > 0 && `no ${missing.join(", ")} on this machine`;
    /** What the snippet prints. */
    const outputOf = async (call: SnippetCall): Promise<string> => {
      const cwd = join(folder, name);
      mkdirSync(cwd, { recursive: true });
      writeFileSync(join(cwd, file), write(call));
      writeFileSync(join(cwd, FILE_NAME), "one\r\n\0two");
      const appSecret = service.app(call.appId).credentials[0]?.appSecret;
      const [program, ...args] = command;
      const { stdout } = await run(program, args, { cwd, env: { ...process.env, APP_SECRET: appSecret } });
      return stdout;
    };
    const caller = () => ({
      baseUrl: service.url,
      appId: "app_demo_bot",
      credentialId: "cred_demo_bot",
      params: {},
      query: "",
    });

    it(`${name}: a body of texts that need quoting arrives as it is`, { skip }, async () => {
      const body = { receiveIdType: "group_id", receiveId: "g_demo", msgType: "text", content: { text: AWKWARD } };
      const path = "/api/open/v2/bot/messages";
      const json = JSON.stringify(body, null, 2);
      const sent = await outputOf({ ...caller(), operation: "sendMessage", method: "POST", path, body: { json } });
      assert.match(sent, /messageId/);
      assert.equal(await newestText(service), AWKWARD);
    });

    it(`${name}: a query is signed`, { skip }, async () => {
      const query = canonicalQuery("targetType=GROUP&pageSize=7");
      const path = "/api/open/v2/bot/installations";
      const call = { ...caller(), operation: "listInstallations", method: "GET", path, query, body: null } as const;
      assert.match(await outputOf(call), /g_demo/);
    });

    it(`${name}: a file is uploaded`, { skip }, async () => {
      const path = "/api/open/v2/bot/files";
      const body = { fileName: FILE_NAME, mimeType: "text/plain" };
      const output = await outputOf({ ...caller(), operation: "uploadFile", method: "POST", path, body });
      assert.match(output, /size"?: ?9\b/);
    });
  }
});

/** The text of the newest message in the demo's group. */
async function newestText(service: DemoService): Promise<unknown> {
  const { username, password } = service.member("alice");
  const baseUrl = service.url;
  const { accessToken: token } = await createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl })).login({
    body: { tenantId: "t_demo", username, password },
  });
  const { items } = await createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl, token })).listMessages({
    params: { conversationId: "group:g_demo" },
    query: { limit: 1 },
  });
  const content: unknown = items.at(-1)?.content;
  return typeof content === "object" && content !== null && "text" in content ? content.text : undefined;
}
