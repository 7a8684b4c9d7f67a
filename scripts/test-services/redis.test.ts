import assert from "node:assert/strict";
import { it } from "node:test";
import { Redis } from "ioredis";
import { findRedisServer, pingRedis, startRedis } from "./redis.ts";

const program = await findRedisServer(process.env.PATH ?? "");
const skip = program ? false : "no redis-server on PATH";

it("Redis for tests answers again after a restart, without its data", { skip }, async (t) => {
  assert.ok(program);
  const redis = await startRedis(program);
  const client = new Redis(redis.url);
  t.after(async () => {
    client.disconnect();
    await redis.stop();
  });

  await client.set("key", "value");
  await redis.restart();
  await pingRedis(redis.url);
  assert.equal(await client.get("key"), null);
});

it("Redis for tests does not answer once it is stopped", { skip }, async () => {
  assert.ok(program);
  const redis = await startRedis(program);
  await redis.stop();
  await assert.rejects(pingRedis(redis.url));
});
