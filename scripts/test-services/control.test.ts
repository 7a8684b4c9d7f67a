import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { type Control, startControl } from "./control.ts";
import type { Service } from "./service.ts";

/** A channel whose "fake" service only records its calls. */
async function openControl(t: TestContext): Promise<{ control: Control; calls: string[] }> {
  const calls: string[] = [];
  let started = 0;
  async function start(): Promise<Service> {
    started += 1;
    const url = `fake://${started}`;
    calls.push(`start ${url}`);
    return {
      url,
      restart: async () => void calls.push(`restart ${url}`),
      stop: async () => void calls.push(`stop ${url}`),
    };
  }
  async function fail(): Promise<Service> {
    throw new Error("it broke");
  }
  const control = await startControl({
    fake: { start },
    broken: { start: fail },
    absent: { missing: "not installed" },
  });
  t.after(control.stop);
  return { control, calls };
}

async function create(control: Control): Promise<{ id: string; url: string }> {
  const response = await fetch(`${control.url}/fake`, { method: "POST" });
  assert.equal(response.status, 201);
  return (await response.json()) as { id: string; url: string };
}

it("each POST starts another instance", async (t) => {
  const { control } = await openControl(t);
  const [first, second] = [await create(control), await create(control)];
  assert.equal(first.url, "fake://1");
  assert.equal(second.url, "fake://2");
  assert.notEqual(first.id, second.id);
});

it("a restart reaches only the named instance", async (t) => {
  const { control, calls } = await openControl(t);
  await create(control);
  const { id } = await create(control);
  const response = await fetch(`${control.url}/fake/${id}/restart`, { method: "POST" });
  assert.equal(response.status, 204);
  assert.deepEqual(calls, ["start fake://1", "start fake://2", "restart fake://2"]);
});

it("a deleted instance is stopped and unknown from then on", async (t) => {
  const { control, calls } = await openControl(t);
  const { id } = await create(control);
  assert.equal((await fetch(`${control.url}/fake/${id}`, { method: "DELETE" })).status, 204);
  assert.equal((await fetch(`${control.url}/fake/${id}`, { method: "DELETE" })).status, 404);
  assert.deepEqual(calls, ["start fake://1", "stop fake://1"]);
});

it("closing the channel stops all remaining instances", async (t) => {
  const { control, calls } = await openControl(t);
  await create(control);
  await control.stop();
  assert.deepEqual(calls, ["start fake://1", "stop fake://1"]);
});

for (const [path, status, reason] of [
  ["/absent", 409, "not installed"],
  ["/broken", 500, "it broke"],
  ["/unknown", 404, "no such service or instance"],
  ["/fake/unknown/restart", 404, "no such service or instance"],
] as const) {
  it(`POST ${path} is answered with ${status} and the reason`, async (t) => {
    const { control } = await openControl(t);
    const response = await fetch(control.url + path, { method: "POST" });
    assert.equal(response.status, status);
    assert.deepEqual(await response.json(), { reason });
  });
}
