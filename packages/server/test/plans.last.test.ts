import assert from "node:assert/strict";
import { onBothEngines } from "./support/engines.ts";
import { SCANNED, SORTED } from "./support/plan-exceptions.ts";
import { type Findings, isPlanned, postgresPlans, sqlitePlans } from "./support/plans.ts";
import { leftStatements } from "./support/statements.ts";
import { World } from "./support/world.ts";

/** Steps for which there are no exceptions. */
function unexcused(sql: string, { scans, sorts }: Findings): string[] {
  const isExcused = (exceptions: typeof SCANNED) => exceptions.some(({ statement }) => statement.test(sql));
  const compares = comparesTexts(sql) ? ["compares the texts of all rows it selects"] : [];
  return [...(isExcused(SCANNED) ? [] : [...scans, ...compares]), ...(isExcused(SORTED) ? [] : sorts)];
}

/** Whether a keyword is searched without its index. */
function comparesTexts(sql: string): boolean {
  return / like /.test(sql) && !/search_index|search_grams/.test(sql);
}

onBothEngines("plans", (engine, test) => {
  test("no statement that the tests have run reads or sorts a whole table that can grow", async (t) => {
    const instance = await engine.create();
    await (await World.on(engine, instance, {})).stop();
    const plans = engine.name === "sqlite" ? sqlitePlans(instance) : await postgresPlans(instance);
    const statements = leftStatements(engine.name).filter(isPlanned);
    const unbounded: string[] = [];
    try {
      for (const sql of statements) {
        const found = await plans.findings(sql).then(
          (findings) => unexcused(sql, findings),
          (error: Error) => [`cannot be explained: ${error.message}`],
        );
        if (found.length > 0) unbounded.push(`${sql}\n    ${found.join("\n    ")}`);
      }
    } finally {
      await plans.close();
      await instance.dispose();
    }
    t.diagnostic(`${statements.length} statements`);
    assert.ok(unbounded.length === 0, `\n${unbounded.join("\n")}`);
  });
});
