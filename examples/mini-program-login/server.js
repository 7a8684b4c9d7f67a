import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { ApiRefusedError, PorticoClient } from "@portico/sdk";

const { PORT = "3000" } = process.env;
const BODY_MAX_BYTES = 4 * 1024;
const SESSIONS_MAX = 10_000;

const { miniapp } = new PorticoClient(JSON.parse(readFileSync("profile.json", "utf8")));

/** Who is signed in, by the token that the mini-program sends. A server of several processes keeps them in a database. */
const sessions = new Map();

/** `POST /login {code}`: exchanges the messenger's code, which is good once, for a session of our own. */
async function signIn({ code }) {
  const { openId, expiresAt } = await miniapp.exchangeCode(String(code));
  const token = randomBytes(32).toString("base64url");
  const [oldest] = sessions.keys();
  if (sessions.size >= SESSIONS_MAX) sessions.delete(oldest);
  // The sessionKey stays here too, where it is needed at all: it is never for the mini-program.
  sessions.set(token, { openId, expiresAt });
  return { token, expiresAt };
}

/** `GET /me`: who the token's member is. */
function whoIs(authorization = "") {
  const session = sessions.get(authorization.replace(/^Bearer /, ""));
  return session !== undefined && session.expiresAt > Date.now() ? { openId: session.openId } : null;
}

async function readJson(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) throw new SyntaxError("the body is too long");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function answer(request) {
  if (request.url === "/login" && request.method === "POST")
    return { status: 200, value: await signIn(await readJson(request)) };
  if (request.url !== "/me") return { status: 404, value: {} };
  const member = whoIs(request.headers.authorization);
  return member === null ? { status: 401, value: {} } : { status: 200, value: member };
}

/** A code that is unknown, used or too old is the caller's fault; the mini-program asks the messenger for another. */
function statusOf(error) {
  if (error instanceof ApiRefusedError && error.code === "400008") return 401;
  return error instanceof SyntaxError ? 400 : 502;
}

const server = createServer(async (request, response) => {
  const { status, value } = await answer(request).catch((error) => ({ status: statusOf(error), value: {} }));
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
});
process.once("SIGTERM", () => server.close());
server.listen(Number(PORT), "127.0.0.1", () => console.log(`listening on ${server.address().port}`));
