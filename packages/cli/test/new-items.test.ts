import assert from "node:assert/strict";
import { test } from "node:test";
import { NewItems } from "../src/new-items.ts";

interface Item {
  id: string;
  at: number;
  waits?: boolean;
}
const kind = {
  idOf: ({ id }: Item) => id,
  timeOf: ({ at }: Item) => at,
  isUnderWay: ({ waits = false }: Item) => waits,
};
const named = (...ids: number[]): Item[] => ids.map((n) => ({ id: `i${n}`, at: n }));

test("what the first look finds is not new, what later looks find is, once and oldest first", () => {
  const items = new NewItems(kind);
  assert.deepEqual(items.take(named(2, 1)), []);
  assert.equal(items.newestAt, 2);
  assert.deepEqual(items.take(named(4, 3, 2)), named(3, 4));
  assert.deepEqual(items.take(named(4, 3, 2)), []);
});

test("what is listed late, behind a newer one, is not missed", () => {
  const items = new NewItems(kind);
  items.take([]);
  items.take(named(5));
  assert.deepEqual(items.take(named(5, 4)), named(4));
  assert.equal(items.newestAt, 5);
});

test("what is under way is waited for, ten seconds at most", () => {
  const items = new NewItems(kind);
  items.take([]);
  const waiting = [
    { id: "a", at: 1, waits: true },
    { id: "b", at: 1, waits: true },
  ];
  assert.deepEqual(items.take(waiting, 1_000), []);
  assert.deepEqual(
    items.take(
      [
        { id: "a", at: 1 },
        { id: "b", at: 1, waits: true },
      ],
      2_000,
    ),
    [{ id: "a", at: 1 }],
  );
  assert.deepEqual(items.take(waiting, 10_999), []);
  assert.deepEqual(items.take(waiting, 11_000), [{ id: "b", at: 1, waits: true }]);
});

test("the ids that it remembers are bounded, the oldest being forgotten first", () => {
  const items = new NewItems(kind);
  items.take(named(...Array.from({ length: 10_001 }, (_, n) => 10_001 - n)));
  assert.deepEqual([items.isNew({ id: "i1", at: 1 }), items.isNew({ id: "i2", at: 2 })], [true, false]);
});
