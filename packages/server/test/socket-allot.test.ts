import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { allot, type Candidate } from "../src/domain/webhooks/sockets/allot.ts";

const HERE = ["here1", "here2", "here3"];
const ELSEWHERE = ["there1", "there2"];
const ENDED = "ended";

/** Events of two types, which different connections may get, in conversations that have a connection or none yet. */
const situations = fc
  .record({
    due: fc.array(fc.tuple(fc.constantFrom(null, "a", "b", "c", "d"), fc.nat(1)), { maxLength: 40 }),
    boundTo: fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom(...HERE, ...ELSEWHERE, ENDED)),
    avoids: fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom(...HERE, ...ELSEWHERE, ENDED)),
    connectionsOf: fc.tuple(fc.subarray([...HERE, ...ELSEWHERE]), fc.subarray([...HERE, ...ELSEWHERE])),
    rooms: fc.array(fc.nat(6), { minLength: HERE.length, maxLength: HERE.length }),
    limit: fc.integer({ min: 1, max: 50 }),
    picks: fc.infiniteStream(fc.nat(100)),
  })
  .map(({ due, boundTo, avoids, connectionsOf, rooms, limit, picks }) => {
    const candidates = due.map(([conversation, type], index): Candidate => {
      const connections = connectionsOf[type] ?? [];
      const known = boundTo[conversation ?? ""] ?? null;
      // A conversation has a connection, or avoids one.
      const avoid = known === null ? (avoids[conversation ?? ""] ?? null) : null;
      return { deliveryId: index + 1, conversation, boundTo: known, avoid, connections };
    });
    const open = HERE.filter((id) => connectionsOf.flat().includes(id));
    const pick = (count: number) => (count === 0 ? 0 : (picks.next().value ?? 0) % count);
    const roomOf = new Map(open.map((id, index) => [id, rooms[index] ?? 0]));
    return { candidates, rooms: roomOf, limit, pick };
  });

function check(holds: (situation: typeof situations extends fc.Arbitrary<infer S> ? S : never) => void): void {
  fc.assert(fc.property(situations, holds), { numRuns: 2_000 });
}

describe("deliveries given to connections", () => {
  test("are due, each at most once, and for connections of this process that get their type", () => {
    check(({ candidates, ...how }) => {
      const { taken } = allot(candidates, how);
      assert.equal(new Set(taken.map(({ deliveryId }) => deliveryId)).size, taken.length);
      for (const { deliveryId, connectionId } of taken) {
        const due = candidates.find((candidate) => candidate.deliveryId === deliveryId);
        assert.ok(due?.connections.includes(connectionId));
        assert.ok(how.rooms.has(connectionId));
      }
    });
  });
  test("are never more than a connection has room for, nor than the limit", () => {
    check(({ candidates, ...how }) => {
      const { taken } = allot(candidates, how);
      assert.ok(taken.length <= how.limit);
      for (const [id, room] of how.rooms) {
        assert.ok(taken.filter(({ connectionId }) => connectionId === id).length <= room);
      }
    });
  });
  test("of a conversation go to one connection that gets them, in their order and without a gap", () => {
    check(({ candidates, ...how }) => {
      const { taken } = allot(candidates, how);
      const connectionOf = new Map(taken.map(({ deliveryId, connectionId }) => [deliveryId, connectionId]));
      for (const conversation of ["a", "b", "c", "d"]) {
        const due = candidates.filter((candidate) => candidate.conversation === conversation);
        const given = due.filter(({ deliveryId }) => connectionOf.has(deliveryId));
        assert.deepEqual(given, due.slice(0, given.length));
        for (const [index, { deliveryId, avoid, connections }] of given.entries()) {
          const before = connectionOf.get(given[index - 1]?.deliveryId ?? 0);
          if (before !== undefined && before !== avoid && connections.includes(before))
            assert.equal(connectionOf.get(deliveryId), before);
        }
      }
      assert.deepEqual(
        taken.map(({ deliveryId }) => deliveryId),
        taken.map(({ deliveryId }) => deliveryId).toSorted((a, b) => a - b),
      );
    });
  });
  test("keep the connection of their conversation while it is there; what goes to another binds it there", () => {
    check(({ candidates, ...how }) => {
      const { taken, bindings } = allot(candidates, how);
      const to = new Map<string, string | null>();
      const left = [...bindings];
      for (const { conversation, boundTo, avoid, connections, deliveryId } of candidates) {
        if (conversation === null) continue;
        const known = to.get(conversation) ?? boundTo;
        const given = taken.find((one) => one.deliveryId === deliveryId)?.connectionId;
        if (given === undefined) continue;
        if (known !== null && connections.includes(known)) {
          assert.equal(given, known);
          continue;
        }
        if (given === avoid) continue;
        const index = left.findIndex((one) => one.conversation === conversation && one.connectionId === given);
        assert.ok(
          index >= 0,
          "a conversation without a connection that gets the event is bound to the one that got it",
        );
        left.splice(index, 1);
        to.set(conversation, given);
      }
      const known = new Set(candidates.flatMap(({ connections }) => connections));
      for (const { connectionId } of bindings) assert.ok(known.has(connectionId));
    });
  });
  test("go to the connection that they avoid only if there is no other, and are not bound to it", () => {
    check(({ candidates, ...how }) => {
      const { taken, bindings } = allot(candidates, how);
      for (const { deliveryId, conversation, avoid, connections } of candidates) {
        const given = taken.find((one) => one.deliveryId === deliveryId)?.connectionId;
        if (avoid === null) continue;
        assert.ok(!bindings.some((one) => one.conversation === conversation && one.connectionId === avoid));
        if (given === avoid) assert.deepEqual(connections, [avoid]);
      }
    });
  });
  test("leave nothing waiting that a connection here has room for", () => {
    check(({ candidates, ...how }) => {
      const { taken, isLeft } = allot(candidates, how);
      if (taken.length === how.limit) return;
      const left = new Map(how.rooms);
      for (const { connectionId } of taken) left.set(connectionId, (left.get(connectionId) ?? 0) - 1);
      const isTaken = (id: number) => taken.some(({ deliveryId }) => deliveryId === id);
      for (const { deliveryId, conversation, connections } of candidates) {
        if (conversation !== null || isTaken(deliveryId)) continue;
        assert.ok(connections.every((id) => (left.get(id) ?? 0) === 0));
      }
      if (isLeft) assert.ok(candidates.length > taken.length);
    });
  });
  test("tell when a conversation has got a connection of another process", () => {
    check(({ candidates, ...how }) => {
      const { bindings, isOthers } = allot(candidates, how);
      assert.equal(
        isOthers,
        bindings.some(({ connectionId }) => ELSEWHERE.includes(connectionId)),
      );
    });
  });
});
