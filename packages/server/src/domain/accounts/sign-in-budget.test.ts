import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Payment, SignInBudget } from "./sign-in-budget.ts";

/** Fails until the budget is empty. */
function spendAll(budget: SignInBudget, caller: string, now: number): { payments: Payment[]; waitMs: number } {
  const payments: Payment[] = [];
  for (;;) {
    const payment = budget.pay(caller, now);
    if (!payment.paid) return { payments, waitMs: payment.waitMs };
    payment.settle(true);
    payments.push(payment);
  }
}

describe("budget of failed sign-ins", () => {
  test("a caller has 100 failures, and one more every two seconds, up to 100", () => {
    const budget = new SignInBudget();
    const first = spendAll(budget, "a", 0);
    assert.deepEqual([first.payments.length, first.waitMs], [100, 2_000]);
    assert.deepEqual([spendAll(budget, "a", 1_500).payments.length, spendAll(budget, "a", 1_500).waitMs], [0, 500]);
    assert.equal(spendAll(budget, "a", 2_000).payments.length, 1);
    assert.equal(spendAll(budget, "a", 9_000).payments.length, 3);
    assert.equal(spendAll(budget, "a", 10_000).payments.length, 1);
    assert.equal(spendAll(budget, "a", 86_400_000).payments.length, 100);
  });
  test("all callers together have 200 failures, and five more a second", () => {
    const budget = new SignInBudget();
    const counts = ["a", "b", "c"].map((caller) => spendAll(budget, caller, 0));
    assert.deepEqual(
      counts.map(({ payments, waitMs }) => [payments.length, waitMs]),
      [
        [100, 2_000],
        [100, 2_000],
        [0, 200],
      ],
    );
    assert.equal(spendAll(budget, "c", 1_000).payments.length, 5);
  });
  test("an attempt that succeeds is refunded once", () => {
    const budget = new SignInBudget();
    for (let n = 0; n < 150; n++) {
      const payment = budget.pay("a", 0);
      assert.ok(payment.paid);
      payment.settle(false);
    }
    assert.equal(spendAll(budget, "a", 0).payments.length, 100);
    const late = budget.pay("b", 0);
    assert.equal(spendAll(budget, "b", 86_400_000).payments.length, 100);
    if (late.paid) late.settle(false);
    assert.equal(spendAll(budget, "b", 86_400_000).payments.length, 1);
  });
  test("16 attempts may be in progress at a time", () => {
    const budget = new SignInBudget();
    const payments = Array.from({ length: 16 }, () => budget.pay("a", 0));
    assert.ok(payments.every(({ paid }) => paid));
    assert.deepEqual(budget.pay("b", 0), { paid: false, waitMs: 1_000 });
    for (const payment of payments.slice(0, 1)) if (payment.paid) payment.settle(true);
    assert.equal(budget.pay("b", 0).paid, true);
  });
  test("a fine is paid by the caller alone", () => {
    const budget = new SignInBudget();
    for (let n = 0; n < 100; n++) assert.equal(budget.fine("a", 0), true);
    assert.deepEqual([budget.fine("a", 0), budget.fine("a", 2_000)], [false, true]);
    assert.equal(budget.pay("a", 2_000).paid, false);
    assert.deepEqual(
      ["b", "c"].map((caller) => spendAll(budget, caller, 2_000).payments.length),
      [100, 100],
    );
  });
});
