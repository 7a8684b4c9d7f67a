import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type RequestOptions, request } from "node:https";
import { after, before, describe, test } from "node:test";
import { MEMBER_STREAM } from "@portico/protocol/client";
import { signRequest } from "@portico/protocol/signature";
import { WebSocket } from "ws";
import type { Service } from "../../../scripts/test-services/service.ts";
import { alice, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { TEST_CA } from "./support/certificates.ts";
import { CONSOLE, consoleAcme, ownedApp, owner } from "./support/console.ts";
import { sqlite } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { PROXIES } from "./support/proxies.ts";
import { FILES, FORM_TYPE, filePart, form } from "./support/uploads.ts";
import { World } from "./support/world.ts";

/** The caller's address: another than the proxy's, which is the only one that the service trusts. */
const CALLER = "127.0.0.2";
const UPLOAD_BYTES = 20 * 1024 * 1024;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Json = any;

function ask(
  url: string,
  options: RequestOptions = {},
  body: string | Buffer = "",
): Promise<{ status: number; json: Json }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; json: Json }>();
  const outgoing = request(url, { ca: TEST_CA, agent: false, localAddress: CALLER, ...options }, async (response) => {
    const text = (await response.setEncoding("utf8").toArray()).join("");
    resolve({ status: response.statusCode ?? 0, json: text.startsWith("{") ? JSON.parse(text) : text });
  });
  outgoing.on("error", reject).end(body);
  return promise;
}

for (const proxy of PROXIES) {
  describe(`the sample for ${proxy.name}`, { skip: proxy.missing }, () => {
    let world: World;
    let running: Service;
    before(async () => {
      world = await World.create(sqlite, consoleAcme(ownedApp("app_bot")), { PORTICO_TRUSTED_PROXIES: "127.0.0.1/32" });
      running = await proxy.start(Number(new URL(world.url).port));
    });
    after(async () => {
      await running?.stop();
      await world?.dispose();
    });

    function signed(target: string, body: string | Buffer, type: string) {
      const [path = "", rawQuery = ""] = target.split("?", 2);
      const parts = { method: "POST", path, rawQuery, body, nonce: randomUUID(), timestamp: world.clock.now() };
      const { headers } = signRequest({ ...credentialsOf("app_bot"), ...parts });
      const length = { "content-length": Buffer.byteLength(body) };
      return ask(
        running.url + target,
        { method: "POST", headers: { ...headers, ...length, "content-type": type } },
        body,
      );
    }

    test("passes signed calls on as they were signed, and answers them", async () => {
      assert.equal((await ask(`${running.url}/readyz`)).status, 200);
      const target = `${MESSAGES}?a=%2F%20&b=%E4%BD%A0&a=+`;
      const { status, json } = await signed(target, textBody("through the proxy"), "application/json");
      assert.equal(status, 200, JSON.stringify(json));
    });
    test("keeps the metrics from everybody outside", async () => {
      for (const path of ["/metrics", "/%6detrics", "/%6D%65trics?a=b", "/./metrics", "//metrics", "/METRICS"]) {
        const { status, json } = await ask(running.url, { path });
        assert.equal(status, 404, path);
        assert.doesNotMatch(JSON.stringify(json), /portico_/);
        // What the proxy decodes it does not pass on: the service's own 404 is JSON.
        if (path.startsWith("/%")) assert.equal(typeof json, "string", path);
      }
    });
    test("passes an upload of the largest size", async () => {
      const body = form(
        filePart({ content: Buffer.alloc(UPLOAD_BYTES, 7), fileName: "a.bin", mimeType: "text/plain" }),
      );
      const { status, json } = await signed(FILES, body, FORM_TYPE);
      assert.equal(status, 200, JSON.stringify(json));
      assert.equal(json.value.size, UPLOAD_BYTES);
    });
    test("passes WebSockets, on which messages come", async () => {
      const { token } = await MemberClient.signIn(world, alice);
      const url = `${running.url.replace("https", "wss")}${MEMBER_STREAM.path}`;
      const socket = new WebSocket(url, { ca: TEST_CA, headers: { authorization: `Bearer ${token}` } });
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      const frame = new Promise((resolve) => socket.once("message", (data) => resolve(JSON.parse(String(data)))));
      assert.equal((await signed(MESSAGES, textBody("live"), "application/json")).status, 200);
      assert.equal(((await frame) as { type: string }).type, "message.created");
      socket.terminate();
    });
    test("tells the service who calls, whatever the caller claims", async () => {
      const body = JSON.stringify(owner);
      const headers = { "content-type": "application/json", "x-forwarded-for": "203.0.113.7" };
      const { status, json } = await ask(`${running.url}${CONSOLE}/auth/login`, { method: "POST", headers }, body);
      assert.equal(status, 200, JSON.stringify(json));
      const { accessToken } = json;
      const sessions = await ask(`${running.url}${CONSOLE}/sessions`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      assert.match(JSON.stringify(sessions.json), new RegExp(`"${CALLER}"`));
      assert.doesNotMatch(JSON.stringify(sessions.json), /203\.0\.113\.7/);
    });
  });
}
