import assert from "node:assert/strict";
import { changeMaxSessions, changeStatus, recordArrival } from "../src/domain/customer-service/agent-presence.ts";
import { findAgentByUserId } from "../src/domain/customer-service/agent-store.ts";
import { atDesk } from "../src/domain/customer-service/at-desk.ts";
import type { Desk } from "../src/domain/customer-service/desk.ts";
import type { DeskHint } from "../src/domain/customer-service/desk-hint.ts";
import { findSession } from "../src/domain/customer-service/session-store.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { acme } from "./support/acme.ts";
import { customerApp } from "./support/customer-acme.ts";
import { sweep } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld, type World } from "./support/world.ts";

const APP = "app_desk";
const AGENTS = ["a", "b", "c", "d", "e"];
const VISITORS = 200;
const STEPS = 300;
const PRESENT_MS = 45_000;

/** Pseudo-random numbers below `n`, the same for the same seed (mulberry32). */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

interface DeskState {
  sessions: { sessionId: number; status: string; agentId: string | null; queuedAt: number }[];
  agents: { userId: string; status: string; heartbeatAt: number; max: number; has: number }[];
}

async function stateOf(world: World): Promise<DeskState> {
  const { db } = world.portico.ctx.storage;
  const sessions = await db
    .selectFrom("customer_sessions")
    .select(["session_id as sessionId", "status", "agent_user_id as agentId", "queued_at as queuedAt"])
    .where("status", "<>", "CLOSED")
    .orderBy("queued_at")
    .orderBy("session_id")
    .execute();
  const rows = await db
    .selectFrom("desk_agents")
    .select(["user_id as userId", "status", "heartbeat_at as heartbeatAt", "max_sessions as max"])
    .execute();
  const agents = rows.map((row) => ({
    ...row,
    max: row.max ?? 10,
    has: sessions.filter(({ agentId, status }) => status === "ACTIVE" && agentId === row.userId).length,
  }));
  return { sessions, agents };
}

onBothEngines("the queue of a desk", (engine, test) => {
  const file = acme(
    customerApp(APP, {
      agents: AGENTS,
      visitors: Array.from({ length: VISITORS }, (_, n) => ({ visitorId: `v${n}`, thirdUserId: `c${n}` })),
    }),
  );
  for (const name of AGENTS) file.members?.push({ tenant: "t_acme", userId: `u_${name}`, username: name, name });
  const world = suiteWorld(engine, file);

  for (const seed of [1, Date.now() % 1_000_000]) {
    test(`${VISITORS} visitors and ${AGENTS.length} agents who come, go and change at random never break its rules, seed ${seed}`, async () => {
      const roll = dice(seed);
      const { clock, portico } = world();
      const { ctx } = portico;
      const pick = <T>(items: readonly T[]): T | undefined => items[roll(Math.max(1, items.length))];
      const userId = () => `u_${pick(AGENTS)}`;
      const desk = <T>(work: (desk: Desk, tx: Db) => Promise<T>) => atDesk(ctx, APP, work);
      const known = async (tx: Db, id: string) => {
        const agent = await findAgentByUserId(tx, APP, id);
        if (agent === null) throw new Error("the agent is not there");
        return agent;
      };
      /** The agents named by this step: explicit assignments need not follow the rules. */
      let named: { sessionId: number } | null = null;
      const onSession = async (
        status: "QUEUED" | "ACTIVE",
        work: (desk: Desk, tx: Db, sessionId: number) => Promise<unknown>,
      ) => {
        const one = pick((await stateOf(world())).sessions.filter((session) => session.status === status));
        if (one !== undefined) await desk((at, tx) => work(at, tx, one.sessionId));
        return one;
      };
      const sessionOf = async (tx: Db, sessionId: number) => {
        const session = await findSession(tx, APP, sessionId);
        if (session === null) throw new Error("the session is not there");
        return session;
      };
      const steps: Record<string, () => Promise<unknown>> = {
        open: () => desk((at) => at.open(`v${roll(VISITORS)}`, { source: "test", subject: "" })),
        open3: async () => {
          for (let n = 0; n < 3; n++) await steps.open?.();
        },
        come: () => {
          const id = userId();
          return desk((at, tx) => recordArrival(at, tx, { appId: APP, userId: id }, clock.now()));
        },
        choose: () => {
          const [id, status] = [
            userId(),
            pick(["ONLINE", "ONLINE", "ONLINE", "ONLINE", "BUSY", "OFFLINE"] as const) ?? "ONLINE",
          ];
          return desk(async (at, tx) => {
            const agent = await known(tx, id);
            await changeStatus(at, tx, { appId: APP, userId: id }, { agent, status, now: clock.now() });
          });
        },
        cap: () => {
          const [id, max] = [userId(), 1 + roll(12)];
          return desk((at, tx) => changeMaxSessions(at, tx, { appId: APP, userId: id }, max));
        },
        accept: async () => {
          const id = userId();
          named =
            (await onSession("QUEUED", async (at, tx, sessionId) => at.assign(await sessionOf(tx, sessionId), id))) ??
            null;
        },
        transfer: async () => {
          const id = userId();
          named =
            (await onSession("ACTIVE", async (at, tx, sessionId) => at.assign(await sessionOf(tx, sessionId), id))) ??
            null;
        },
        close: () => onSession("ACTIVE", async (at, tx, sessionId) => at.close(await sessionOf(tx, sessionId), APP)),
        closeQueued: () =>
          onSession("QUEUED", async (at, tx, sessionId) => at.close(await sessionOf(tx, sessionId), APP)),
        closeMany: async () => {
          for (let n = 0; n < 30; n++) await steps[pick(["close", "closeQueued"]) ?? "close"]?.();
        },
        /** One agent is absent for so long that others get the sessions. */
        vanish: async () => {
          const gone = userId();
          clock.turn(61_000);
          for (const name of AGENTS) {
            const key = { appId: APP, userId: `u_${name}` };
            if (key.userId !== gone) await desk((at, tx) => recordArrival(at, tx, key, clock.now()));
          }
          await sweep(portico);
        },
        pass: async () => {
          clock.turn(1_000 + roll(50_000));
          await sweep(portico);
        },
        twoAtOnce: () => Promise.all([steps.open?.(), steps.close?.(), steps.come?.()]),
      };
      const busy = ["open", "open3", "come", "come", "choose", "cap", "accept", "transfer", "close", "close", "pass"];
      busy.push("closeQueued", "twoAtOnce", "vanish");
      // Then no visitor waits for a while, and several agents are free at the same time.
      const quiet = [
        "closeMany",
        "closeMany",
        "come",
        "come",
        "come",
        "come",
        "choose",
        "cap",
        "pass",
        "open",
        "transfer",
      ];
      const assignments: Extract<DeskHint, { type: "session" }>[] = [];
      const unlisten = ctx.deskLive.listen((_appId, hint) => {
        if (hint.type === "session" && hint.change === "assigned") assignments.push(hint);
      });
      for (const name of AGENTS) {
        const key = { appId: APP, userId: `u_${name}` };
        await desk(async (at, tx) => {
          await recordArrival(at, tx, key, clock.now());
          await changeStatus(at, tx, key, { agent: await known(tx, key.userId), status: "ONLINE", now: clock.now() });
        });
      }
      for (let n = 0; n < VISITORS; n++) await desk((at) => at.open(`v${n}`, { source: "test", subject: "" }));

      for (let step = 0; step < STEPS; step++) {
        const name = pick(Math.floor(step / 50) % 2 === 0 ? busy : quiet) ?? "open";
        const before = await stateOf(world());
        const queuedBefore = before.sessions.filter(({ status }) => status === "QUEUED");
        [named, assignments.length] = [null, 0];
        await steps[name]?.();
        const after = await stateOf(world());
        const where = `seed ${seed}, step ${step}, ${name}`;
        const isFree = ({ status, heartbeatAt, has, max }: DeskState["agents"][number]) =>
          status === "ONLINE" && heartbeatAt > clock.now() - PRESENT_MS && has < max;
        const queue = after.sessions.filter(({ status }) => status === "QUEUED");
        if (queue.length > 0) assert.ok(!after.agents.some(isFree), `${where}: somebody waits though somebody is free`);

        const given = assignments
          .filter(({ session }) => session.sessionId !== named?.sessionId)
          .map(({ session }) => session);
        for (const { agentId } of given) {
          const agent = after.agents.find((one) => one.userId === `u_${agentId}`);
          if (agent === undefined) throw new Error(`${where}: given to nobody`);
          assert.equal(agent.status, "ONLINE", `${where}: given to who did not choose it`);
          assert.ok(agent.heartbeatAt > clock.now() - PRESENT_MS, `${where}: given to who is not there`);
          assert.ok(agent.has <= agent.max, `${where}: given more than they may have`);
        }
        // Sessions of absent agents had returned to the head before; the others were taken from the head.
        if (["pass", "vanish", "twoAtOnce", "closeMany"].includes(name)) continue;
        const waited = queuedBefore.map(({ sessionId }) => sessionId).filter((id) => id !== named?.sessionId);
        const taken = given.map(({ sessionId }) => sessionId).filter((id) => waited.includes(id));
        const closed = new Set(waited.filter((id) => !after.sessions.some(({ sessionId }) => sessionId === id)));
        assert.deepEqual(
          taken,
          waited.filter((id) => !closed.has(id)).slice(0, taken.length),
          `${where}: not the oldest`,
        );
        const kept = queue.map(({ sessionId }) => sessionId).filter((id) => waited.includes(id));
        assert.deepEqual(
          kept,
          waited.filter((id) => !closed.has(id) && !taken.includes(id)),
          `${where}: out of order`,
        );
      }
      unlisten();
      await desk(async (at, tx) => {
        for (const { sessionId } of (await stateOf(world())).sessions)
          await at.close(await sessionOf(tx, sessionId), APP);
      });
    });
  }
});
