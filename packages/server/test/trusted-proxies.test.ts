import assert from "node:assert/strict";
import { alice } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { CLIENT } from "./support/client-acme.ts";
import { consoleAcme, consoleCall, logIn, ownedApp, owner } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { send, sendRaw } from "./support/http.ts";
import { suiteWorld, type World } from "./support/world.ts";

const FIRST = "203.0.113.9";
const OTHER = "2001:db8::9";

/** The addresses of the owner's logins, the newest first, as the console shows them. */
async function addressesShown(world: World): Promise<string[]> {
  const { accessToken } = (await logIn(world, owner)).json;
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await consoleCall(world, "GET", "sessions", { headers });
  return answer.json.items.map(({ address }: { address: string }) => address);
}

function logInFrom(world: World, forwardedFor: string) {
  return consoleCall(world, "POST", "auth/login", { body: owner, headers: { "x-forwarded-for": forwardedFor } });
}

/** The addresses in the audit log. */
async function addressesAudited({ portico }: World): Promise<(string | null)[]> {
  const rows = await portico.ctx.storage.db.selectFrom("audit_entries").select("address").execute();
  return rows.map(({ address }) => address);
}

/** The number of warnings about an untrusted header. */
function hints({ logLines }: World): number {
  return logLines.filter((line) => line.includes("PORTICO_TRUSTED_PROXIES")).length;
}

onBothEngines("behind a trusted proxy", (engine, test) => {
  const env = { PORTICO_TRUSTED_PROXIES: "127.0.0.0/8, ::1/128, 10.0.0.0/8" };
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), env);

  test("sign-ins are listed and audited with the address that the proxy names", async () => {
    assert.equal((await logInFrom(world(), `198.51.100.1, ${FIRST}:4711, 10.1.2.3`)).status, 200);
    assert.equal((await logInFrom(world(), `[${OTHER}]:80`)).status, 200);
    const shown = await addressesShown(world());
    assert.deepEqual([...shown].sort(), ["127.0.0.1", OTHER, FIRST].sort());
    const audited = await addressesAudited(world());
    assert.ok(audited.includes(FIRST) && audited.includes(OTHER));
    assert.ok(!audited.includes("198.51.100.1"));
  });
  test("members' changes are audited with it, too", async () => {
    const login = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(alice) };
    const signedIn = await send(`${world().url}${CLIENT}/auth/login`, login);
    const { accessToken } = signedIn.json.value;
    const headers = { authorization: `Bearer ${accessToken}`, "x-forwarded-for": "203.0.113.77" };
    const body = JSON.stringify({ appId: "app_bot", targetType: "USER", targetId: "u_alice" });
    const uninstall = { method: "DELETE", headers: { ...headers, "content-type": "application/json" }, body };
    assertSuccess(await send(`${world().url}${CLIENT}/installations`, uninstall));
    assert.ok((await addressesAudited(world())).includes("203.0.113.77"));
  });
  test("several lines of the header are one list", async () => {
    const body = JSON.stringify(owner);
    const head = [
      "POST /api/open/console/v1/auth/login HTTP/1.1",
      "Host: localhost",
      "Connection: close",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "X-Forwarded-For: 198.51.100.1, 203.0.113.50",
      "x-forwarded-for: 10.0.0.9",
    ];
    assert.match(await sendRaw(world().url, `${head.join("\r\n")}\r\n\r\n${body}`), /^HTTP\/1\.1 200 /);
    assert.ok((await addressesShown(world())).includes("203.0.113.50"));
  });
  test("QR codes are counted by the clients' addresses, of IPv6 by the first 64 bits", async () => {
    const generate = (address: string) =>
      consoleCall(world(), "POST", "auth/qr/generate", { headers: { "x-forwarded-for": address } });
    world().clock.turn(1_000);
    for (let n = 0; n < 10; n++) assert.equal((await generate(`2001:db8:5::${n + 1}`)).status, 200);
    assert.equal((await generate("2001:db8:5::ffff:1")).status, 429);
    assert.equal((await generate("2001:db8:5:1::1")).status, 200);
    assert.equal((await generate(FIRST)).status, 200);
  });
  test("trusted headers cause no warning", () => assert.equal(hints(world()), 0));
});

onBothEngines("without trusted proxies", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")));

  test("X-Forwarded-For is ignored, and the log says so once", async () => {
    for (let n = 0; n < 3; n++) assert.equal((await logInFrom(world(), FIRST)).status, 200);
    assert.deepEqual(new Set(await addressesShown(world())), new Set(["127.0.0.1"]));
    assert.ok(!(await addressesAudited(world())).includes(FIRST));
    assert.equal(hints(world()), 1);
  });
});
