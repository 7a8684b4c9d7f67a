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
  const { database } = connection;
  database.exec("create table things (name text collate nocase primary key) without rowid");
  for (let n = 0; n < 100; n++) database.prepare("insert into things values (?)").run(`name ${n}`);
  let looks = 0;
  database.function("looked_at", (_name) => {
    looks++;
    return 1;
  });
  // Only who plans by the pattern knows how names begin that fit it, and looks at no others.
  const sql = "select name from things where looked_at(name) and name like ?";
  const looksOf = (run: () => unknown) => {
    looks = 0;
    assert.deepEqual(run(), [{ name: "name 77" }]);
    return looks;
  };
  const [plannedAnew, plannedOnce] = [database.prepare(sql), connection.statement(sql)];
  assert.equal(
    looksOf(() => plannedAnew.all("name 77%")),
    1,
  );
  assert.equal(
    looksOf(() => plannedOnce.all(["name 77%"])),
    100,
  );
});
