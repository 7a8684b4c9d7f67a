import assert from "node:assert/strict";
import { test } from "node:test";
import Database from "better-sqlite3";
import { SqliteConnection } from "./sqlite-connection.ts";

function open(t: { after(end: () => void): void }): SqliteConnection {
  const connection = new SqliteConnection(new Database(":memory:"));
  t.after(() => connection.database.close());
  return connection;
}

test("question marks in texts and names of a prepared statement are no parameters", (t) => {
  const statement = open(t).statement(`select 'it''s ?' as "a?", ? as b, ? || '?' as c`);
  assert.deepEqual(statement.get([7, "x"]), { "a?": "it's ?", b: 7, c: "x?" });
});

test("parameters keep their types, and are compared as their columns are", (t) => {
  const connection = open(t);
  connection.database.exec("create table things (name text, count integer, body blob)");
  const insert = connection.statement("insert into things values (?, ?, ?)");
  void insert.change(["1", 2, Buffer.from("b")]);
  void insert.change([null, null, null]);
  const sql = "select * from things where name = ? and count in (?, ?)";
  for (const parameters of [
    ["1", 2, null],
    ["1", "2", 3],
    [1, 2, 2n],
    [null, null, null],
  ]) {
    const found = connection.statement(sql).all(parameters);
    assert.deepEqual(found, connection.database.prepare(sql).all(parameters));
  }
  assert.deepEqual(connection.statement(sql).all(["1", 2, null]), [{ name: "1", count: 2, body: Buffer.from("b") }]);
});

test("a prepared statement is planned once, not for the parameters of each run", (t) => {
  const connection = open(t);
  const tables = Array.from({ length: 8 }, (_, n) => `t${n}`);
  for (const table of tables) {
    connection.database.exec(`create table ${table} (a text, b integer, primary key (a, b)) without rowid`);
    connection.database.exec(`insert into ${table} values ('x', 1)`);
  }
  const [first, ...others] = tables;
  const joined = (a: string, b: string) =>
    `select 1 as one from ${first} ${others.map((name) => `join ${name} on ${name}.a = ${first}.a and ${name}.b = ${b}`).join(" ")} where ${first}.a = ${a}`;
  const literal = connection.database.prepare(joined("'x'", "1"));
  const statement = connection.statement(joined("?", "?"));
  const parameters = [...others.map(() => 1), "x"];
  assert.deepEqual(statement.get(parameters), { one: 1 });
  // The shortest of several: other work on the machine lengthens some.
  const shortestMs = (run: () => void) =>
    Math.min(
      ...Array.from({ length: 20 }, () => {
        const startedAt = performance.now();
        for (let n = 0; n < 100; n++) run();
        return performance.now() - startedAt;
      }),
    );
  const [plain, bound] = [shortestMs(() => literal.get()), shortestMs(() => statement.get(parameters))];
  assert.ok(bound < 4 * plain, `${bound} ms with parameters, ${plain} ms without`);
});
