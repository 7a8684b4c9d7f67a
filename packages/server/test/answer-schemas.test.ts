import assert from "node:assert/strict";
import { it } from "node:test";
import fastJson, { type Schema } from "fast-json-stringify";
import { pino } from "pino";
import { loadConfig } from "../src/platform/config/load-config.ts";
import { Serializers } from "../src/platform/http/serializers.ts";
import { startPortico } from "../src/service/start.ts";
import { sqlite } from "./support/engines.ts";
import { TestClock } from "./support/test-clock.ts";

/** Notes what the routes ask for. */
class NotingSerializers extends Serializers {
  readonly schemas: Schema[] = [];

  override compile(schema: Schema) {
    this.schemas.push(schema);
    return super.compile(schema);
  }
}

// The service compiles a schema when its first answer goes out.
it("the schema of every answer can be compiled", async () => {
  const instance = await sqlite.create("migrated");
  const serializers = new NotingSerializers();
  const config = loadConfig({ ...instance.env, PORTICO_PORT: "0" });
  const portico = await startPortico(config, { clock: new TestClock(), log: pino({ enabled: false }), serializers });
  try {
    assert.ok(serializers.schemas.length > 50, `only ${serializers.schemas.length} schemas`);
    for (const schema of serializers.schemas) assert.doesNotThrow(() => fastJson(schema), JSON.stringify(schema));
  } finally {
    await portico.stop();
    await instance.dispose();
  }
});
