import assert from "node:assert/strict";
import { test } from "node:test";
import { splitPostgresHosts } from "./postgres-hosts.ts";

const READ: [string, string[]][] = [
  ["postgres://db/portico", ["postgres://db/portico"]],
  ["postgres:///portico?host=/run/postgresql", ["postgres:///portico?host=/run/postgresql"]],
  [
    "postgresql://user:p%2Css@one:5433,two,[::1]:5434/portico?sslmode=require",
    [
      "postgresql://user:p%2Css@one:5433/portico?sslmode=require",
      "postgresql://user:p%2Css@two/portico?sslmode=require",
      "postgresql://user:p%2Css@[::1]:5434/portico?sslmode=require",
    ],
  ],
];
for (const [raw, urls] of READ) {
  test(`${raw} names ${urls.length} servers`, () => assert.deepEqual(splitPostgresHosts(raw), urls));
}

const many = Array.from({ length: 17 }, (_, n) => `host${n}`).join(",");
for (const raw of [
  "",
  "db",
  "http://db/portico",
  "postgres://one:x,two/db",
  "postgres://one,,two/db",
  `postgres://${many}/db`,
]) {
  test(`${raw.slice(0, 40)} is no address of PostgreSQL`, () => assert.equal(splitPostgresHosts(raw), undefined));
}
