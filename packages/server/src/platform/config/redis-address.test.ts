import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRedisAddress } from "./redis-address.ts";

const READ = [
  ["redis://redis.example", { kind: "single", url: "redis://redis.example" }],
  ["rediss://:secret@redis.example:6380/2", { kind: "single", url: "rediss://:secret@redis.example:6380/2" }],
  [
    "redis+sentinel://one,two:26380/portico",
    {
      kind: "sentinel",
      nodes: [
        { host: "one", port: 26_379 },
        { host: "two", port: 26_380 },
      ],
      name: "portico",
      db: 0,
      login: {},
      tls: false,
    },
  ],
  [
    "rediss+sentinel://:se%40cret@[::1]/portico/3",
    {
      kind: "sentinel",
      nodes: [{ host: "::1", port: 26_379 }],
      name: "portico",
      db: 3,
      login: { password: "se@cret" },
      tls: true,
    },
  ],
  [
    "redis+cluster://user:secret@10.0.0.1,10.0.0.2:7000",
    {
      kind: "cluster",
      nodes: [
        { host: "10.0.0.1", port: 6_379 },
        { host: "10.0.0.2", port: 7_000 },
      ],
      login: { username: "user", password: "secret" },
      tls: false,
    },
  ],
] as const;

for (const [raw, address] of READ) {
  test(`${raw} is an address of Redis`, () => assert.deepEqual(parseRedisAddress(raw), address));
}

const REFUSED = [
  "",
  "redis:",
  "http://redis.example",
  "redis+other://one",
  "redis+sentinel://one",
  "redis+sentinel://one/",
  "redis+sentinel://one/portico/x",
  "redis+sentinel://one,,two/portico",
  "redis+sentinel://one:70000/portico",
  "redis+sentinel://%zz@one/portico",
  "redis+cluster://",
  "redis+cluster://one,two/1",
  "redis+cluster://one?password=secret",
];

for (const raw of REFUSED) {
  test(`${JSON.stringify(raw)} is none`, () => assert.equal(parseRedisAddress(raw), undefined));
}
