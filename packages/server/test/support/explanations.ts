import assert from "node:assert/strict";
import type { RequestExplanation } from "@portico/protocol";
import type { ConsoleClient } from "./console.ts";
import type { Answer } from "./http.ts";
import { until } from "./webhooks.ts";
import type { World } from "./world.ts";

/**
 * The console's explanation of a call. The record is written after the answer was sent, so it may appear a moment later
 * than the answer.
 */
export async function explanationOf(client: ConsoleClient, appId: string, reqNo: string): Promise<RequestExplanation> {
  return (await explained(client, `apps/${appId}/requests/${reqNo}`)).json;
}

/** Polls `path`, an owner's or an operator's, until the call is recorded. */
export async function explained(client: ConsoleClient, path: string): Promise<Answer> {
  let answer = await client.get(path);
  await until(async () => {
    if (answer.status === 404) answer = await client.get(path);
    return answer.status !== 404;
  }, `${path} is known`);
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

/** Asserts that neither the record of a call nor `said` contains any of the texts, plain or escaped as in JSON. */
export async function assertKeptSecret(world: World, reqNo: string, said: unknown, texts: string[]): Promise<void> {
  const { db } = world.portico.ctx.storage;
  const row = await db.selectFrom("requests").selectAll().where("req_no", "=", reqNo).executeTakeFirstOrThrow();
  const everything = JSON.stringify([row, said]).toLowerCase();
  for (const text of texts) {
    for (const spelling of [
      text,
      JSON.stringify(text).slice(1, -1),
      JSON.stringify(JSON.stringify(text)).slice(3, -3),
    ]) {
      assert.ok(!everything.includes(spelling.toLowerCase()), `${spelling} is told`);
    }
  }
}
