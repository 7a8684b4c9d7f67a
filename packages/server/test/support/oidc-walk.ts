import assert from "node:assert/strict";
import { SIGN_IN_PROBLEMS, type SignInProblem } from "@portico/protocol";
import { SIGN_IN_PAGES } from "@portico/protocol/endpoints";
import { type Answer, send } from "./http.ts";
import type { TestIssuer } from "./issuer.ts";

export const MEMBERS = SIGN_IN_PAGES.members;
export const DEVELOPERS = SIGN_IN_PAGES.developers;

/** A sign-in that was begun: where the browser was sent, and the cookie that it got. */
export interface Begun {
  authorization: URL;
  cookie: string;
}

type World = { url: string };

/** Begins a sign-in as a browser does. */
export async function begin(world: World, { start }: { start: string } = MEMBERS, more = ""): Promise<Begun> {
  const tenant = start === MEMBERS.start ? "?tenantId=t_acme" : "";
  const query = tenant === "" || more.includes("tenantId=") ? more : `${tenant}${more.replace("?", "&")}`;
  const answer = await send(`${world.url}${start}${query}`);
  assert.equal(answer.status, 302, answer.text);
  const [cookie = ""] = answer.headers["set-cookie"] ?? [];
  return { authorization: new URL(String(answer.headers.location)), cookie: cookie.split(";", 1)[0] ?? "" };
}

/** Brings an answer of the provider; `changes` replace parts of its query. */
export async function end(
  world: World,
  { authorization, cookie }: Begun,
  code: string,
  { callback = MEMBERS.callback, changes = {} }: { callback?: string; changes?: Record<string, string> } = {},
): Promise<Answer> {
  const query = new URLSearchParams({ code, state: authorization.searchParams.get("state") ?? "", ...changes });
  return await send(`${world.url}${callback}?${query}`, {
    headers: { cookie, "sec-fetch-site": "cross-site", "accept-language": "en" },
  });
}

/** Signs somebody in with the provider. */
export async function signIn(
  world: World,
  issuer: TestIssuer,
  claims: Record<string, unknown>,
  { paths = MEMBERS, query = "" }: { paths?: { start: string; callback: string }; query?: string } = {},
): Promise<Answer> {
  const begun = await begin(world, paths, query);
  return await end(world, begun, issuer.grant(begun.authorization, claims), { callback: paths.callback });
}

/** Asserts that an answer is the page of a problem, and signs nobody in. */
export function assertProblem(answer: Answer, problem: SignInProblem): void {
  const { status, english } = SIGN_IN_PROBLEMS[problem];
  assert.equal(answer.status, status, answer.text);
  assert.match(String(answer.headers["content-type"]), /^text\/html/);
  assert.equal(answer.headers["set-cookie"], undefined);
  assert.equal(answer.headers.location, undefined);
  assert.ok(answer.text.includes(english), `${problem} is not on the page: ${answer.text}`);
}

/** The cookies that an answer sets, by name. */
export function cookiesIn(answer: Answer): Map<string, string> {
  return new Map((answer.headers["set-cookie"] ?? []).map((cookie) => [cookie.split("=", 1)[0] ?? "", cookie]));
}
