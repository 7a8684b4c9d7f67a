import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { answerJson, refuse, startConsole } from "./console-service.ts";
import { createWorkspace } from "./portico.ts";

const RANGE = ["--from", "2026-01-31", "--to", "2026-02-01"];
const FROM = Date.parse("2026-01-31T00:00:00Z");
/** A date includes the whole day. */
const TO = Date.parse("2026-02-01T23:59:59.999Z");
const job = (state: string, redelivered: number, skipped = 0) => ({
  jobId: "rdj_1",
  state,
  total: 4,
  redelivered,
  skipped,
});

test("one event is redelivered by its own call", async () => {
  await using workspace = await createWorkspace();
  const delivery = {
    eventId: "evt_1",
    eventType: "card.interaction",
    status: "PENDING",
    attemptCount: 0,
    createdAt: 1,
    nextAttemptAt: 1,
    lastStatus: null,
    lastReason: null,
  };
  await using service = await startConsole((response) => answerJson(response, 200, delivery));
  const { code, stdout } = await workspace.portico(["redeliver", "app_1", "evt_1", ...service.options]);
  assert.deepEqual([code, stdout], [0, "sent off again: evt_1\n"]);
  const [call] = service.calls();
  assert.equal(`${call?.method} ${call?.url}`, "POST /api/open/console/v1/apps/app_1/deliveries/evt_1/redeliver");
  assert.equal(call?.body, "");
});

test("several events are redelivered at once, and the number of skipped ones is shown", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) => answerJson(response, 200, { redelivered: 1, skipped: 1 }));
  const { code, stdout } = await workspace.portico(["redeliver", "app_1", "evt_1", "evt_2", ...service.options]);
  assert.deepEqual(
    [code, stdout],
    [0, "sent off again: 1; skipped, as dropped, without an active subscription or not this app's: 1\n"],
  );
  const [call] = service.calls();
  assert.equal(`${call?.method} ${call?.url}`, "POST /api/open/console/v1/apps/app_1/deliveries/redeliver");
  assert.deepEqual(JSON.parse(call?.body ?? ""), { eventIds: ["evt_1", "evt_2"] });
});

test("a range is redelivered by a job, and its progress is shown until it is done", async () => {
  await using workspace = await createWorkspace();
  const answers = [job("RUNNING", 0), job("RUNNING", 2), job("RUNNING", 2), job("DONE", 3, 1)];
  await using service = await startConsole((response, index) =>
    answerJson(response, index ? 200 : 202, answers[index]),
  );
  const options = [...RANGE, "--status", "FAILED", "--type", "card.interaction", ...service.options];
  const { code, stdout, stderr } = await workspace.portico(["redeliver", "app_1", ...options]);
  assert.deepEqual(
    [code, stdout],
    [0, "sent off again: 3; skipped, as dropped, without an active subscription or not this app's: 1\n"],
  );
  assert.equal(stderr, "redelivering: 0 of 4\nredelivering: 2 of 4\nredelivering: 4 of 4\n");
  const [start, poll] = service.calls();
  assert.deepEqual(JSON.parse(start?.body ?? ""), {
    status: "FAILED",
    eventType: "card.interaction",
    from: FROM,
    to: TO,
  });
  assert.equal(`${poll?.method} ${poll?.url}`, "GET /api/open/console/v1/apps/app_1/redelivery-jobs/rdj_1");
});

test("a token that expires while a job runs is replaced", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response, index) => {
    if (index === 1) return refuse(response, 401, "Unauthorized", "");
    answerJson(response, 200, index === 0 ? job("RUNNING", 0) : job("DONE", 4));
  });
  const { code, stdout } = await workspace.portico(["redeliver", "app_1", ...RANGE, ...service.options]);
  assert.deepEqual([code, stdout], [0, "sent off again: 4\n"]);
  const tokens = service.calls().map(({ headers }) => headers.authorization);
  assert.deepEqual(tokens, ["Bearer tok_1", "Bearer tok_1", "Bearer tok_2"]);
});

test("a job cancelled by someone is a failure", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) => answerJson(response, 200, job("CANCELLED", 2)));
  const { code, stderr } = await workspace.portico(["redeliver", "app_1", ...RANGE, ...service.options]);
  assert.equal(code, 1);
  assert.match(stderr, /^portico redeliver: the job was cancelled; sent off again: 2$/m);
});

const GOES_ON = /^the job goes on; end it with `portico redeliver app_1 --cancel rdj_1`$/m;

test("Ctrl-C leaves the job running, and says how to cancel it", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) => answerJson(response, 200, job("RUNNING", 0)));
  const command = workspace.start(["redeliver", "app_1", ...RANGE, ...service.options]);
  const [output] = [text(command.stderr), once(command.stderr, "data").then(() => command.kill("SIGINT"))];
  await once(command, "close");
  assert.equal(command.exitCode, 130);
  assert.match(await output, GOES_ON);
  assert.ok(service.calls().every(({ method }) => method !== "DELETE"));
  assert.deepEqual(service.logouts(), ["open_refresh_token=ref_1"]);
});

test("when its progress cannot be read, the message says that the job continues", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response, index) =>
    index === 0 ? answerJson(response, 202, job("RUNNING", 0)) : response.destroy(),
  );
  const { code, stderr } = await workspace.portico(["redeliver", "app_1", ...RANGE, ...service.options]);
  assert.equal(code, 1);
  assert.match(stderr, GOES_ON);
  assert.match(stderr, /^no verdict: /m);
});

test("a job is cancelled by its id", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) => response.writeHead(204).end());
  const { code, stdout } = await workspace.portico(["redeliver", "app_1", "--cancel", "rdj_1", ...service.options]);
  assert.deepEqual([code, stdout], [0, "cancelled\n"]);
  const [call] = service.calls();
  assert.equal(`${call?.method} ${call?.url}`, "DELETE /api/open/console/v1/apps/app_1/redelivery-jobs/rdj_1");
});

test("an event that was dropped cannot be redelivered", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) => refuse(response, 409, "Conflict", "已被丢弃"));
  const { code, stderr } = await workspace.portico(["redeliver", "app_1", "evt_1", ...service.options]);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    "refused: 409 Conflict: 已被丢弃\nIt cannot be done any more, or not now, as the message says.\n",
  );
});
