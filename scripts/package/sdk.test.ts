import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { runInNewContext } from "node:vm";
import { rolldown } from "rolldown";
import { answer, startService } from "../../packages/sdk/test/service.ts";
import { startSocketService } from "../../packages/sdk/test/socket-service.ts";
import { deliveryOf, messageEvent, SECRET } from "../../packages/sdk/test/webhook-delivery.ts";
import { installed, type Project } from "./testing/project.ts";
import { RUNTIMES } from "./testing/runtimes.ts";
import { SDK_SCRIPTS, TYPED_BOT } from "./testing/snippets.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const TSC = resolve(REPOSITORY, "node_modules/.bin/tsc");

let project: Project;
before(async () => {
  project = await installed("sdk");
  for (const [file, text] of Object.entries(SDK_SCRIPTS)) await project.write(file, text);
});
after(() => project[Symbol.asyncDispose]());

for (const { name, program, args, missing } of RUNTIMES) {
  for (const script of ["import.mjs", "require.cjs"]) {
    test(`on ${name} the installed SDK makes cards, signs, verifies and calls: ${script}`, {
      skip: missing,
    }, async () => {
      await using service = await startService((response, index) => {
        const app = { appId: "app_demo", type: "BOT", status: "ACTIVE", displayName: "", avatar: "", scopes: [] };
        const file = { fileKey: "key_1", fileName: "a.txt", size: 6, mimeType: "text/plain", expiresAt: 1 };
        answer(response, 200, "000000", index === 0 ? { items: [app] } : file);
      });
      const { headers, body } = deliveryOf(messageEvent(), { timestamp: Date.now() });
      const delivery = JSON.stringify({ headers, body: body.toString(), secret: SECRET });
      const { stdout } = await project.run(program, ...args, script, service.baseUrl, delivery);
      assert.equal(stdout, "ok\n");
      assert.deepEqual(
        service.requests.map(({ method, url, signatureMatches }) => [method, url, signatureMatches]),
        [
          ["GET", "/api/open/v2/bot/apps", true],
          ["POST", "/api/open/v2/bot/files", true],
        ],
      );
    });
  }
}

for (const { name, program, args, missing } of RUNTIMES) {
  test(`on ${name} a bot of the installed SDK connects, hears an event and stops`, { skip: missing }, async () => {
    await using service = await startSocketService();
    const connected = service.nextConnection();
    const run = project.run(program, ...args, "bot.mjs", service.options.baseUrl);
    const told = connected.then(async (connection) => {
      connection.sendMessage("evt_1");
      return await connection.answerTo("evt_1");
    });
    const [{ stdout }, frame] = await Promise.all([run, told]);
    assert.equal(stdout, "ok\n");
    assert.deepEqual(frame, { type: "ack", deliveryId: "evt_1" });
  });
}

for (const [module, file, types] of [
  ["nodenext", "bot.mts", ["node"]],
  ["nodenext", "bot.cts", ["node"]],
  ["commonjs", "bot.cts", ["node"]],
  ["esnext", "bot.ts", ["node"]],
  ["esnext", "bot.ts", []],
] as const) {
  const withNode = types.length > 0;
  test(`a bot type-checks in a strict project: ${module}, ${file}, ${withNode ? "with" : "without"} Node's types`, async () => {
    await project.write(`typed/${file}`, withNode ? TYPED_BOT : TYPED_BOT.replace(/^.*createServer.*$/gm, ""));
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
      ...{ noPropertyAccessFromIndexSignature: true, noImplicitOverride: true },
      ...{ module, target: "es2022", noEmit: true, types },
      ...(module === "nodenext" ? {} : { moduleResolution: "bundler" }),
      typeRoots: [resolve(REPOSITORY, "node_modules/@types")],
    };
    const tsconfig = await project.write("typed/tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }));
    await project.run(TSC, "-p", tsconfig);
  });
}

test("cards and signatures run in a browser: their bundle has nothing of Node", async () => {
  const entry = await project.write(
    "page.mjs",
    `import { card, markdown } from "@portico/sdk/cards";
     import { canonicalString, signRequest, verifyWebhook } from "@portico/sdk/signature";
     export { card, markdown, canonicalString, signRequest, verifyWebhook };`,
  );
  const bundle = await rolldown({ input: entry, platform: "browser", external: [], logLevel: "silent" });
  const { output } = await bundle.generate({ format: "iife", name: "page" });
  await bundle.close();
  const [{ code, imports }] = output;
  assert.deepEqual(imports, []);
  const { headers, body } = deliveryOf(messageEvent(), { timestamp: Date.now() });
  const request = { headers, body: body.toString(), secret: SECRET };
  const globals = { crypto, TextEncoder, TextDecoder, Uint8Array, request };
  const used = `${code}; [page.card({ elements: [page.markdown("hello")] }), page.verifyWebhook(request)]`;
  const [made, verified] = runInNewContext(used, globals);
  assert.equal(made.body.elements[0].content, "hello");
  assert.equal((await verified).eventId, "evt_1");
});

test("the tarball has what is used, and neither sources nor tests", () => {
  const kinds = project.files.filter((file) => !/^dist\/(esm|cjs)\/[\w./-]+\.(js|d\.ts)$/.test(file));
  assert.deepEqual(kinds.toSorted(), ["LICENSE", "README.md", "dist/cjs/package.json", "package.json"]);
  assert.deepEqual(
    project.files.filter((file) => /\.test\.|\b(test|src)\//.test(file)),
    [],
  );
});
