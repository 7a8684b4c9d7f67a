import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { Redis } from "ioredis";
import pg from "pg";
import { APPS, alice, botApp, MESSAGES, textBody } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { BalancedProcesses } from "./support/balanced-processes.ts";
import { TEST_CA } from "./support/certificates.ts";
import { type Account, consoleCall, logIn, ownedApp, owner } from "./support/console.ts";
import { postgres } from "./support/engines.ts";
import { type Answer, sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { type Received, startReceiver } from "./support/receiver.ts";
import { until } from "./support/redis-topologies.ts";
import { StreamClient } from "./support/stream-client.ts";
import { LOOPBACK_CALLBACKS, until as untilSo } from "./support/webhooks.ts";

const MOST = 4;
const COUNTS = [2, MOST];
const QUOTA = 20;
const PLACES = 3;
const MANY = 1_000_000;
/** As the service has it: the time after which the places of a process that is gone are free. */
const LEASE_MS = 30_000;
/** The failures that open a circuit. */
const FAILURES = 5;
/** One for each of the calls that are held: those to one conversation would wait for each other. */
const GROUPS = Array.from({ length: 12 }, (_, n) => `g_${n}`);

const quota = (perMinute: number, perDay: number, concurrent: number) => ({ quota: { perMinute, perDay, concurrent } });
const everywhere = { installations: GROUPS.map((targetId) => ({ targetType: "GROUP" as const, targetId })) };
/** An application of each kind for each number of processes. */
const apps = COUNTS.flatMap((count) => [
  botApp(`app_bot_${count}`),
  botApp(`app_minute_${count}`, quota(QUOTA, MANY, MANY)),
  botApp(`app_day_${count}`, quota(MANY, QUOTA, MANY)),
  botApp(`app_places_${count}`, { ...quota(MANY, MANY, PLACES), ...everywhere }),
  ownedApp(`app_changed_${count}`),
  ownedApp(`app_probed_${count}`),
]);
const world = operatedAcme(...apps, botApp("app_killed", { ...quota(MANY, MANY, PLACES), ...everywhere }));
const groups = GROUPS.map((id) => ({ id, tenant: "t_acme", name: id, members: ["alice"] }));
const provision = { ...world, groups: [...(world.groups ?? []), ...groups] };

const repeat = <T>(times: number, make: (index: number) => T): T[] => Array.from({ length: times }, (_, n) => make(n));
const textOf = ({ body }: Received): string => JSON.parse(body.toString("utf8")).message.content.text;
const succeeded = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200);

describe("processes behind a plain TCP balancer", { skip: postgres.missing ?? false }, () => {
  const opened = new AsyncDisposableStack();
  let service: BalancedProcesses;
  let database: pg.Client;
  let redis: Redis;
  before(async () => {
    const files = opened.adopt(await postgres.create(), (made) => made.dispose());
    const ca = join(files.env.PORTICO_DATA_DIR ?? "", "ca.pem");
    writeFileSync(ca, TEST_CA);
    const env = {
      ...LOOPBACK_CALLBACKS,
      NODE_EXTRA_CA_CERTS: ca,
      PORTICO_WEBHOOK_CIRCUIT_OPEN_FOR: "1s",
    };
    service = await BalancedProcesses.start(MOST, provision, env, opened);
    database = new pg.Client({ connectionString: service.instance.env.PORTICO_DATABASE_URL });
    await database.connect();
    opened.defer(() => database.end());
    // The first calls of a process load much, and on a busy machine take longer than an outage.
    const callAll = () => service.all.map(({ url }) => repeat(10, () => service.send(`app_bot_${MOST}`, {}, url)));
    await until(async () => succeeded(await Promise.all(callAll().flat())).length === 10 * MOST);
    redis = opened.adopt(new Redis(service.instance.env.PORTICO_REDIS_URL ?? ""), (open) => open.disconnect());
  });
  after(() => opened.disposeAsync());

  /** Holds up every send, with its place, while `work` runs. */
  const whileSendsAreHeld = async <T>(work: () => Promise<T>): Promise<T> => {
    await database.query("begin; lock table messages in exclusive mode");
    try {
      return await work();
    } finally {
      await database.query("rollback");
    }
  };
  const placesTaken = async (appId: string) => {
    const [key] = await redis.keys(`*{${appId}}:running`);
    return key === undefined ? 0 : await redis.zcard(key);
  };
  const circuitInRedis = async (appId: string) => {
    const [key] = await redis.keys(`*{${appId}}:circuit`);
    return key === undefined ? null : await redis.hget(key, "state");
  };
  const noncesLocked = async () => {
    const { rows } = await database.query(
      `select count(*)::int as count from pg_locks
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0].count;
  };
  const asDeveloper = async (url: string, account: Account) => {
    const { accessToken } = (await logIn({ url }, account)).json;
    return async (method: string, path: string, body?: unknown, at = url): Promise<Answer> => {
      const answer = await consoleCall({ url: at }, method, path, {
        headers: { authorization: `Bearer ${accessToken}` },
        ...(body !== undefined && { body }),
      });
      assert.ok(answer.status < 300, answer.text);
      return answer;
    };
  };

  /** A receiver, and the application's subscription to it, which is changed at `url`. */
  const receiverOf = async (t: TestContext, appId: string, url: string) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    const call = await asDeveloper(url, owner);
    const subscriptions = `apps/${appId}/subscriptions`;
    return {
      receiver,
      subscribe: (path: string) =>
        call("PUT", `${subscriptions}/im.message.receive_v1`, { callbackUrl: receiver.url(path, "127.0.0.1") }),
      circuit: async () => (await call("GET", subscriptions)).json[0].circuitState,
    };
  };
  /** Has alice post a text to a bot at each of the processes. */
  const sayAt = async (urls: readonly string[], appId: string, text: string) => {
    const { token } = await MemberClient.signIn({ url: service.url }, alice);
    const params = { conversationId: `bot:${appId}` };
    for (const url of urls) {
      await MemberClient.with({ url }, token).api.postMessage({ params, body: { msgType: "text", content: { text } } });
    }
  };

  for (const count of COUNTS) {
    describe(`${count} processes`, () => {
      const appId = `app_bot_${count}`;
      const urls = () => service.all.slice(0, count).map(({ url }) => url);
      before(() => service.balancer.use(urls()));

      test("a nonce is used once: of parallel calls with one nonce exactly one passes", async () => {
        const timestamp = service.now();
        const rounds = repeat(5, (round) => ({ nonce: `n-${count}-${round}`, timestamp, target: APPS }));
        const answers = await Promise.all(
          rounds.map((sending) => Promise.all(repeat(12, () => service.call(appId, sending)))),
        );
        for (const each of answers) {
          assert.equal(succeeded(each).length, 1);
          for (const answer of each.filter(({ status }) => status !== 200)) assertRefused(answer, 401, "400001");
        }
        for (const url of urls()) {
          for (const sending of rounds) assertRefused(await service.call(appId, sending, url), 401, "400001");
        }
      });

      test("parallel sends with one clientMessageId make one message", async () => {
        const ids = repeat(5, (round) => `client-${count}-${round}`);
        const answers = await Promise.all(
          ids.map((clientMessageId) => {
            const sending = { method: "POST", target: MESSAGES, body: textBody("once", { clientMessageId }) };
            return Promise.all(repeat(12, () => service.call(appId, sending)));
          }),
        );
        for (const each of answers) {
          for (const answer of each) assertSuccess(answer);
          assert.equal(new Set(each.map(({ json }) => json.value.messageId)).size, 1);
        }
        const { rows } = await database.query(
          "select client_message_id as id from messages where client_message_id = any($1) order by message_id",
          [ids],
        );
        assert.deepEqual(rows.map(({ id }) => id).sort(), ids);
      });

      for (const [kind, name] of [
        ["minute", "requests per minute"],
        ["day", "requests per day"],
      ] as const) {
        test(`${name}: of ${3 * QUOTA} parallel calls exactly the allowed ${QUOTA} pass`, async () => {
          service.beginMinute();
          const calls = repeat(3 * QUOTA, () => service.send(`app_${kind}_${count}`));
          const answers = await Promise.all(calls);
          assert.equal(succeeded(answers).length, QUOTA);
          for (const answer of answers.filter(({ status }) => status !== 200)) assertRefused(answer, 429, "429001");
          for (const url of urls()) assertRefused(await service.send(`app_${kind}_${count}`, {}, url), 429, "429001");
        });
      }

      test(`concurrent requests: of parallel calls exactly the allowed ${PLACES} pass, and their places come back`, async () => {
        const limited = `app_places_${count}`;
        for (let round = 0; round < 2; round++) {
          let answered = 0;
          const countAnswer = (answer: Answer) => {
            answered++;
            return answer;
          };
          const calls = await whileSendsAreHeld(async () => {
            const begun = GROUPS.map((receiveId) => service.send(limited, { receiveId }).then(countAnswer));
            // Those that are refused beside one that was admitted are answered with it.
            await until(async () => answered + (await noncesLocked()) >= begun.length);
            // Admitted after all of these, at each process.
            for (const url of urls()) {
              assertRefused(await service.call(limited, { target: APPS }, url), 429, "429001");
            }
            assert.equal(await placesTaken(limited), PLACES);
            return begun;
          });
          const answers = await Promise.all(calls);
          assert.equal(succeeded(answers).length, PLACES);
          for (const answer of answers.filter(({ status }) => status !== 200)) assertRefused(answer, 429, "429001");
          // Other processes may hear of the end of a call a moment after its caller.
          await until(async () => (await placesTaken(limited)) === 0);
        }
      });

      test("streams at all processes get every msgSeq once and in order, whichever processes the messages went to", async () => {
        const streams = await Promise.all(
          urls().map(async (url) => StreamClient.open(url, (await MemberClient.signIn({ url }, alice)).token)),
        );
        const answers = await Promise.all(repeat(60, () => service.send(appId)));
        for (const answer of answers) assertSuccess(answer);
        const places = answers.map(({ json }) => json.value.msgSeq).sort((one, other) => one - other);
        assert.equal(places.at(-1) - places[0], places.length - 1, "without a gap");
        for (const stream of streams) {
          await stream.find(({ msgSeq }) => msgSeq === places.at(-1));
          const seen = stream.frames.map(({ msgSeq }) => msgSeq);
          assert.deepEqual(seen, places);
          await stream.close();
        }
      });

      test("a changed credential, state or quota takes effect at every process within a second", async () => {
        const changed = `app_changed_${count}`;
        const [first = "", second = ""] = urls();
        const asOwner = await asDeveloper(first, owner);
        const asOperator = await asDeveloper(second, operator);
        const call = (url: string) => service.call(changed, { target: APPS }, url);
        const allOf = (check: (answer: Answer) => void, callOne = call) =>
          Promise.all(urls().map(async (url) => check(await callOne(url))));

        // Each process has looked the application up just before.
        await allOf(assertSuccess);
        await asOperator("PUT", `operator/apps/${changed}/quota`, { perMinute: 77, perDay: 10_000, concurrent: 5 });
        service.turn(1_000);
        await allOf(({ headers }) => assert.equal(headers["x-ratelimit-limit"], "77"));

        await asOperator("POST", `operator/apps/${changed}/disable`, { reason: "a test" });
        service.turn(1_000);
        await allOf((answer) => assertRefused(answer, 403, "400005"));
        await asOperator("POST", `operator/apps/${changed}/enable`);
        service.turn(1_000);
        await allOf(assertSuccess);

        const { credentialId, appSecret } = (await asOwner("POST", `apps/${changed}/credentials`)).json;
        await asOwner("POST", `apps/${changed}/credentials/revoke-old`);
        service.turn(1_000);
        await allOf((answer) => assertRefused(answer, 401, "400001"));
        const made = { appId: changed, credentialId, appSecret };
        await allOf(assertSuccess, (url) => sendSigned(url, made, { target: APPS, timestamp: service.now() }));
      });

      test("a changed subscription takes effect at every process at once", async (t) => {
        const { receiver, subscribe } = await receiverOf(t, `app_changed_${count}`, urls()[0] ?? "");
        for (const path of ["/one", "/two"]) {
          await subscribe(path);
          await sayAt(urls(), `app_changed_${count}`, path);
          const received = () => receiver.requests.filter((request) => request.path === path);
          await untilSo(() => received().length === count, `${count} at ${path}`);
          assert.deepEqual(
            received().map(textOf),
            repeat(count, () => path),
          );
        }
      });

      test("a half-open circuit lets one attempt of all processes pass at a time", async (t) => {
        const probed = `app_probed_${count}`;
        const { receiver, subscribe, circuit } = await receiverOf(t, probed, urls()[0] ?? "");
        await subscribe("/hook");
        receiver.respond = (_received, response) => void response.writeHead(500).end();
        // As many as open it, so that none of them is still under way then.
        await sayAt(
          repeat(FAILURES, (n) => urls()[n % count] ?? ""),
          probed,
          "fails",
        );
        await untilSo(async () => (await circuit()) === "OPEN", "the circuit opens");

        const probing = Promise.withResolvers<void>();
        const answered = Promise.withResolvers<void>();
        let held = 0;
        receiver.respond = async (_received, response) => {
          // A process may have sent what it wrote before it heard that the circuit has opened.
          if ((await circuitInRedis(probed)) === "OPEN") response.writeHead(500);
          else {
            held++;
            probing.resolve();
            await answered.promise;
          }
          response.end();
        };
        await sayAt(urls(), probed, "waits");
        await probing.promise;
        // What is new wakes the dispatcher of each process, while all have something that is due.
        await sayAt(urls(), probed, "waits too");
        assert.equal(await circuit(), "PROBING");
        assert.equal(held, 1, "one probe");
        answered.resolve();
        await untilSo(
          () => receiver.requests.filter((one) => textOf(one) === "waits too").length === count,
          "the rest",
        );
      });
    });
  }

  test("the places of a process that was killed come back when their leases have ended, and not before", async () => {
    service.balancer.use(service.all.map(({ url }) => url));
    const victim = service.all[0]?.url ?? "";
    await whileSendsAreHeld(async () => {
      const doomed = GROUPS.slice(0, PLACES).map((receiveId) => {
        return service.send("app_killed", { receiveId }, victim).catch(() => null);
      });
      await until(async () => (await placesTaken("app_killed")) === PLACES);
      await service.kill(0);
      assert.deepEqual(
        await Promise.all(doomed),
        doomed.map(() => null),
      );
    });
    const callEach = (times: number) => Promise.all(repeat(times, () => service.call("app_killed", { target: APPS })));
    for (const answer of await callEach(MOST)) assertRefused(answer, 429, "429001");
    service.turn(LEASE_MS + 1);
    for (const answer of await callEach(PLACES)) assertSuccess(answer);
    await service.replace(0);
    for (let n = 0; n < MOST; n++) assertSuccess(await service.send("app_killed", { receiveId: "g_0" }));
  });
});
