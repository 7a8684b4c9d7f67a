import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { AGENT_STREAM, type AgentFrame, VISITOR_STREAM, type VisitorFrame } from "@portico/protocol/client";
import { Pool } from "undici";
import { WebSocket } from "ws";
import { AGENTS, agentTokenOf, OFFICE, VISITORS, visitorTokenOf } from "./office.ts";

/** Handshakes at a time. */
const AT_ONCE = 50;
/** Connections for calls. */
const CALLERS = 32;
const ANSWERED_WITHIN_MS = 10_000;

/** How long each message took from its call to the other side's stream, in milliseconds. */
export interface Ways {
  toAgent: number[];
  toVisitor: number[];
}

/** The open streams of all visitors and agents, and what they say to one another. */
export class Conversations {
  readonly #pool: Pool;
  readonly #port: number;
  readonly #sockets: WebSocket[] = [];
  /** By the text of a message: when it was sent, and what to do once it has come. */
  readonly #underWay = new Map<string, { sentMs: number; arrived: (tookMs: number) => void }>();
  readonly #failures: unknown[] = [];

  constructor(port: number) {
    this.#port = port;
    this.#pool = new Pool(`http://127.0.0.1:${port}`, { connections: CALLERS });
  }

  async open(): Promise<void> {
    const agents = Array.from({ length: AGENTS }, (_, index) => () => this.#agent(agentTokenOf(index)));
    const visitors = Array.from({ length: VISITORS }, (_, index) => () => this.#visitor(visitorTokenOf(index)));
    const all = [...agents, ...visitors];
    for (let first = 0; first < all.length; first += AT_ONCE) {
      await Promise.all(all.slice(first, first + AT_ONCE).map((connect) => connect()));
    }
  }

  /** The streams that are still open. */
  get size(): number {
    return this.#sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  }

  /**
   * Has visitors write in turn, `perSecond` of them, and each of their agents answer at once.
   *
   * @throws when a call is refused, or a message does not arrive within 10 s.
   */
  async talk(seconds: number, perSecond: number): Promise<Ways> {
    const ways: Ways = { toAgent: [], toVisitor: [] };
    const startedMs = performance.now();
    for (let number = 0; number < seconds * perSecond; number++) {
      await sleep(Math.max(0, startedMs + (number * 1_000) / perSecond - performance.now()));
      this.#exchange(number, ways);
      if (this.#failures.length > 0) throw this.#failures[0];
    }
    const deadline = performance.now() + ANSWERED_WITHIN_MS;
    while (this.#underWay.size > 0) {
      if (performance.now() > deadline) throw new Error(`${this.#underWay.size} messages did not arrive`);
      await sleep(10);
    }
    return ways;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    await this.#pool.destroy();
  }

  #exchange(number: number, { toAgent, toVisitor }: Ways): void {
    const [question, answer] = [`question ${number}`, `answer ${number}`];
    this.#expect(answer, (tookMs) => void toVisitor.push(tookMs));
    this.#expect(question, (tookMs) => void toAgent.push(tookMs));
    this.#post("/api/widget/v1/messages", visitorTokenOf(number % VISITORS), question);
  }

  #expect(text: string, arrived: (tookMs: number) => void): void {
    this.#underWay.set(text, { sentMs: performance.now(), arrived });
  }

  #post(path: string, token: string, content: string): void {
    const expected = this.#underWay.get(content);
    if (expected !== undefined) expected.sentMs = performance.now();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    this.#pool
      .request({ method: "POST", path, headers, body: JSON.stringify({ content }) })
      .then(async ({ statusCode, body }) => {
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
      })
      .catch((error: unknown) => this.#failures.push(error));
  }

  #arrive(content: unknown): void {
    const expected = this.#underWay.get(String(content));
    if (expected === undefined) return;
    this.#underWay.delete(String(content));
    expected.arrived(performance.now() - expected.sentMs);
  }

  async #agent(token: string): Promise<void> {
    await this.#connect(AGENT_STREAM.path, token, (frame: AgentFrame) => {
      if (frame.type !== "message.created" || frame.message.senderType !== "VISITOR") return;
      const { content, sessionId } = frame.message;
      this.#arrive(content);
      const answer = String(content).replace("question", "answer");
      this.#post(`/api/desk/v1/apps/${OFFICE}/sessions/${sessionId}/messages`, token, answer);
    });
  }

  async #visitor(token: string): Promise<void> {
    await this.#connect(VISITOR_STREAM.path, token, (frame: VisitorFrame) => {
      if (frame.type === "message.created" && frame.message.senderType === "AGENT") this.#arrive(frame.message.content);
    });
  }

  async #connect<Frame>(path: string, token: string, onFrame: (frame: Frame) => void): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}${path}`, { headers, perMessageDeflate: false });
    socket.on("message", (data) => onFrame(JSON.parse(String(data))));
    await once(socket, "open");
    socket.on("error", () => {});
    this.#sockets.push(socket);
  }
}
