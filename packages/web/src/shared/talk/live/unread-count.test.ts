import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recounted, unreadAsTold, unreadOf, withArrival, withMark } from "./unread-count.ts";

const told = (lastSeq: number, readSeq: number, unreadCount: number) => ({ lastSeq, readSeq, unreadCount });

describe("the count of what is unread", () => {
  it("a mark among those that came while the page was open leaves those behind it", () => {
    const unread = [11, 12, 14].reduce(withArrival, unreadAsTold(told(10, 10, 0)));
    assert.equal(unreadOf(unread), 3);
    const marked = withMark(unread, 12);
    assert.equal(unreadOf(marked.unread), 1);
    assert.equal(marked.isExact, true);
  });

  it("a mark among those that the service counted has to be counted by the service", () => {
    const unread = withArrival(unreadAsTold(told(10, 0, 8)), 11);
    const marked = withMark(unread, 7);
    assert.equal(marked.isExact, false);
    assert.equal(unreadOf(marked.unread), 4);
    assert.equal(unreadOf(recounted(marked.unread, told(10, 7, 2))), 3);
  });

  it("everything read is nothing unread, and a mark does not move back", () => {
    const { unread } = withMark(withArrival(unreadAsTold(told(10, 0, 8)), 11), 11);
    assert.equal(unreadOf(unread), 0);
    assert.equal(withMark(unread, 5).unread, unread);
  });

  it("an older answer changes nothing", () => {
    const newer = withArrival(unreadAsTold(told(10, 10, 0)), 11);
    assert.equal(recounted(newer, told(9, 9, 4)), newer);
    const { unread: marked } = withMark(newer, 11);
    assert.equal(recounted(marked, told(11, 10, 1)), marked);
  });

  it("a newer answer is not counted twice with what came", () => {
    const unread = [11, 12, 13].reduce(withArrival, unreadAsTold(told(10, 10, 0)));
    assert.equal(unreadOf(recounted(unread, told(12, 10, 2))), 3);
  });

  it("counts no further than the service does, and keeps no more", () => {
    const unread = Array.from({ length: 500 }, (_, index) => 11 + index).reduce(
      withArrival,
      unreadAsTold(told(10, 0, 60)),
    );
    assert.equal(unreadOf(unread), 100);
    assert.equal(unread.arrived.length, 100);
  });
});
