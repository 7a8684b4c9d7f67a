import assert from "node:assert/strict";
import { before, test } from "node:test";
import { startService } from "../../sdk/test/service.ts";
import { consoleCall } from "../../server/test/support/console.ts";
import { qrLines } from "../src/qr-lines.ts";
import { answerJson, developerNamed, loginAnswer } from "./console-service.ts";
import { startDemoService } from "./demo-service.ts";
import { createWorkspace } from "./portico.ts";

/** The modules of a code as the terminal shows it, true for dark, without the margin of four. */
function modulesOf(lines: string[]): boolean[][] {
  const rows = lines.flatMap((line) => {
    const cells = [...line.slice(line.indexOf("m") + 1, line.lastIndexOf("\u001b"))];
    return [cells.map((cell) => " ▄".includes(cell)), cells.map((cell) => " ▀".includes(cell))];
  });
  const side = rows[0]?.length ?? 0;
  return rows.slice(4, side - 4).map((row) => row.slice(4, -4));
}

let image = "";

before(async () => {
  await using service = await startDemoService();
  const { json } = await consoleCall({ url: service.baseUrl }, "POST", "auth/qr/generate");
  image = json.qrImage;
});

test("the terminal shows the code that the service has drawn", async () => {
  const modules = modulesOf(qrLines(image) ?? []);
  const side = modules.length;
  assert.ok(side >= 21 && (side - 17) % 4 === 0, `a code has no ${side} modules to a side`);
  const finder = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"];
  const at = (y: number, x: number) => (modules[y]?.[x] ? "#" : " ");
  for (const [top, left] of [
    [0, 0],
    [0, side - 7],
    [side - 7, 0],
  ] as const) {
    const found = finder.map((row, y) => [...row].map((_, x) => at(top + y, left + x)).join(""));
    assert.deepEqual(found, finder);
  }
  for (let index = 8; index < side - 8; index++) {
    assert.equal(at(6, index), index % 2 === 0 ? "#" : " ");
    assert.equal(at(index, 6), index % 2 === 0 ? "#" : " ");
  }
});

test("a picture that is not a QR code is not shown", () => {
  for (const text of [
    "",
    "data:image/png;base64,",
    "data:image/png;base64,iVBORw0KGgo=",
    "https://example.com/a.png",
  ]) {
    assert.equal(qrLines(text), null);
  }
});

test("a sign-in by QR code is saved once it is confirmed, and fails when it expires", async () => {
  await using workspace = await createWorkspace();
  for (const [last, code] of [
    ["confirmed", 0],
    ["expired", 1],
  ] as const) {
    const statuses = ["pending", "scanned", last];
    await using service = await startService((response, index) => {
      const { url = "" } = service.requests[index] ?? {};
      if (url.endsWith("/auth/qr/generate")) return answerJson(response, 200, { qrToken: "qr/1", qrImage: image });
      if (!url.includes("/auth/qr/status?qrToken=qr%2F1")) return answerJson(response, 200, developerNamed("Dev"));
      const status = statuses.shift();
      if (status !== "confirmed") return answerJson(response, 200, { status, expireIn: 1 });
      const cookie = { "Set-Cookie": "open_refresh_token=by_qr; HttpOnly" };
      answerJson(response, 200, { status, expireIn: 1, ...loginAnswer("tok") }, cookie);
    });
    const outcome = await workspace.portico(["login", "--qr", "--base-url", service.baseUrl]);
    assert.equal(outcome.code, code);
    assert.match(
      outcome.stderr,
      /^Scan this with the messenger, and confirm there\.\nScanned; waiting to be confirmed/m,
    );
    assert.equal(outcome.stdout, code === 0 ? `signed in at ${service.baseUrl} as Dev\n` : "");
    if (code === 0) assert.match(await workspace.read("config/portico/login.json"), /"by_qr"/);
    else assert.match(outcome.stderr, /^portico login: the code has expired; run `portico login --qr` again$/m);
  }
});
