import assert from "node:assert/strict";
import { test } from "node:test";
import SIGNATURES from "../../protocol/vectors/signature.json" with { type: "json" };
import { createWorkspace, type Workspace } from "./portico.ts";

const VECTORS = SIGNATURES.request;
type Vector = (typeof VECTORS)[number];

function vectorNamed(name: string): Vector {
  const vector = VECTORS.find((candidate) => candidate.name === name);
  if (vector === undefined) throw new Error(`no vector "${name}"`);
  return vector;
}

/** The command line that signs the vector. */
async function argsOf(vector: Vector, workspace: Workspace): Promise<string[]> {
  const { method, path, rawQuery, appId, credentialId, appSecret, timestamp, nonce } = vector;
  await workspace.write("secret", appSecret);
  await workspace.write("body", Buffer.from(vector.bodyBase64, "base64"));
  const target = rawQuery === "" ? path : `${path}?${rawQuery}`;
  const credential = ["--app-id", appId, "--credential-id", credentialId, "--app-secret-file", "secret"];
  return [
    "sign",
    method,
    target,
    ...credential,
    "--timestamp",
    `${timestamp}`,
    "--nonce",
    nonce,
    "--body-file",
    "body",
  ];
}

function headersOf({ appId, credentialId, timestamp, nonce, signature }: Vector): string[] {
  return [
    `X-Open-App-Id: ${appId}`,
    `X-Open-Credential-Id: ${credentialId}`,
    `X-Open-Timestamp: ${timestamp}`,
    `X-Open-Nonce: ${nonce}`,
    `X-Open-Signature: ${signature}`,
  ];
}

for (const vector of VECTORS) {
  test(`sign prints the five headers of the vector "${vector.name}"`, async () => {
    await using workspace = await createWorkspace();
    const { code, stdout, stderr } = await workspace.portico(await argsOf(vector, workspace));
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(stdout, `${headersOf(vector).join("\n")}\n`);
  });

  test(`sign signs the path of the vector "${vector.name}" when it is given as a URL`, async () => {
    await using workspace = await createWorkspace();
    const [command = "", method = "", target = "", ...rest] = await argsOf(vector, workspace);
    const { stdout } = await workspace.portico([command, method, `https://open.example.com${target}`, ...rest]);
    assert.equal(stdout, `${headersOf(vector).join("\n")}\n`);
  });

  test(`sign --explain shows each step of the vector "${vector.name}"`, async () => {
    await using workspace = await createWorkspace();
    const args = await argsOf(vector, workspace);
    const { code, stdout } = await workspace.portico([...args, "--explain"]);
    assert.equal(code, 0);

    const numbered = [...stdout.matchAll(/^ {2}[1-8] (?:[a-z]+ )*[a-z]+(?: {2,}(.*))?$/gm)];
    assert.equal(numbered.map(([, value = ""]) => value).join("\n"), vector.canonicalString);
    const lines = stdout.split("\n").map((line) => line.trim());
    const bodyHash = vector.canonicalString.slice(-64);
    const query = vector.canonicalQuery === "" ? "(empty)" : vector.canonicalQuery;
    for (const shown of [query, bodyHash, vector.signature, ...headersOf(vector)])
      assert.ok(lines.includes(shown), shown);
    assert.ok(!stdout.includes(vector.appSecret));
  });
}

test("--body is signed as its UTF-8 bytes", async () => {
  const vector = vectorNamed("text send");
  await using workspace = await createWorkspace();
  const args = (await argsOf(vector, workspace)).slice(0, -2);
  const body = Buffer.from(vector.bodyBase64, "base64").toString("utf8");
  const { stdout } = await workspace.portico([...args, "--body", body]);
  assert.match(stdout, new RegExp(`^X-Open-Signature: ${vector.signature}$`, "m"));
});

test("without --timestamp and --nonce each signature gets new ones", async () => {
  await using workspace = await createWorkspace();
  const args = ["sign", "get", "/", "--app-id", "a", "--credential-id", "cred_a", "--app-secret", "s"];
  const before = Date.now();
  const [first, second] = [await workspace.portico(args), await workspace.portico(args)];
  const timestamp = Number(/^X-Open-Timestamp: (\d+)$/m.exec(first.stdout)?.[1]);
  assert.ok(timestamp >= before && timestamp <= Date.now());
  assert.notEqual(/^X-Open-Nonce: .+$/m.exec(first.stdout)?.[0], /^X-Open-Nonce: .+$/m.exec(second.stdout)?.[0]);
});
