import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Child } from "../contenders/child.ts";
import type { Connection } from "../load/connection.ts";
import { runFullLoad } from "../load/full-load.ts";
import { runPacedLoad } from "../load/paced-load.ts";
import type { RequestSigner, Requests } from "../load/signed-requests.ts";
import { measure, type Phase } from "../phase.ts";
import type { Run } from "../run.ts";
import { startAnswerFloor } from "./answer-floor.ts";
import type { ReadWork, SendWork, WorkFigures, Works } from "./work.ts";

/** A service and its floor, with what is asked of them. */
export interface Entrant {
  service: Child;
  floor: Child;
  /** Signs sends to the service, which its other sends are compared with. */
  signer: RequestSigner;
  works: Works;
}

const WARM_UP_SECONDS = 2;
const FLOOR_WARM_UP_SECONDS = 1;
/** More than a phase can use. */
const READS_PER_SECOND = 60_000;
const SIGNED_PER_SECOND = 14_000;

/** Lets the code of a service be compiled by loads that also fill its store, and starts the floor with its answers. */
export async function enter({ service, signer, works }: Omit<Entrant, "floor">, run: Run): Promise<Entrant> {
  const { connections } = run.options;
  run.progress(`warming up: ${service.name}`);
  const { sends, reads, secret, succeeds } = works;
  const load = (requests: Requests, perSecond: number | null) =>
    measure(service, connections, loadOf(requests, perSecond, WARM_UP_SECONDS), succeeds);
  if (sends.length > 0) {
    const signed = signer.sign(SIGNED_PER_SECOND * WARM_UP_SECONDS, false);
    await measure(service, connections, loadOf(signed, null, WARM_UP_SECONDS));
  }
  for (const { perSecond, requests } of sends) {
    await load(requests((perSecond ?? SIGNED_PER_SECOND) * WARM_UP_SECONDS), perSecond);
  }
  for (const { requests } of reads) await load(requests(SIGNED_PER_SECOND * WARM_UP_SECONDS), null);
  const answers = new Map<string, unknown>();
  for (const { target, requests } of reads) answers.set(target, await answerTo(service.port, requests(1).at(0)));
  const floor = await startAnswerFloor(run.placement.serverCore, answers, secret);
  run.opened.defer(() => floor.stop());
  for (const { requests } of reads) {
    const some = requests(SIGNED_PER_SECOND * FLOOR_WARM_UP_SECONDS);
    await measure(floor, connections, loadOf(some, null, FLOOR_WARM_UP_SECONDS), succeeds);
  }
  return { service, floor, signer, works };
}

/** The figures of works before the first round. */
export function noFigures({ sends, reads }: Works): WorkFigures[] {
  return [
    ...sends.map(({ name, promised, perSecond }): WorkFigures => {
      return { name, promised, beside: "signed sends", pacedPerSecond: perSecond, rounds: [] };
    }),
    ...reads.map(({ name, promised }): WorkFigures => {
      return { name, promised, beside: "a bare server", pacedPerSecond: null, rounds: [] };
    }),
  ];
}

/**
 * Measures all works of a service in turn, and adds a round to `figures`.
 *
 * @returns the signed sends at full load; null when there are no sends to compare with them.
 * @throws when a call does not succeed.
 */
export async function takeTurn(entrant: Entrant, figures: WorkFigures[], run: Run): Promise<Phase | null> {
  const { sends, reads } = entrant.works;
  const roundsOf = (name: string) => figures.find((work) => work.name === name)?.rounds ?? [];
  const full = sends.length === 0 ? null : await signedSends(entrant, null, run);
  const paced = new Map<number, Phase>();
  for (const send of sends) {
    const { name, perSecond } = send;
    const base = perSecond === null ? full : (paced.get(perSecond) ?? (await signedSends(entrant, perSecond, run)));
    if (base === null) throw new Error("no signed sends were made");
    if (perSecond !== null) paced.set(perSecond, base);
    roundsOf(name).push({ phase: await sendsOf(entrant, send, run), base });
  }
  for (const read of reads) {
    const phase = await readsOf(entrant, entrant.service, read, run);
    roundsOf(read.name).push({ phase, base: await readsOf(entrant, entrant.floor, read, run) });
  }
  return full;
}

function signedSends({ service, signer }: Entrant, perSecond: number | null, { options }: Run): Promise<Phase> {
  const { connections, seconds } = options;
  const requests = signer.sign((perSecond ?? SIGNED_PER_SECOND) * seconds, false);
  return measure(service, connections, loadOf(requests, perSecond, seconds));
}

function sendsOf({ service, works }: Entrant, { perSecond, requests }: SendWork, { options }: Run): Promise<Phase> {
  const { connections, seconds } = options;
  const some = requests((perSecond ?? SIGNED_PER_SECOND) * seconds);
  return measure(service, connections, loadOf(some, perSecond, seconds), works.succeeds);
}

function readsOf({ works }: Entrant, server: Child, { requests }: ReadWork, { options }: Run): Promise<Phase> {
  const { connections, seconds } = options;
  return measure(server, connections, loadOf(requests(READS_PER_SECOND * seconds), null, seconds), works.succeeds);
}

/** @param perSecond null for the maximum. */
function loadOf(requests: Requests, perSecond: number | null, seconds: number) {
  return (connections: Connection[]) =>
    perSecond === null ? runFullLoad(connections, requests, seconds) : runPacedLoad(connections, requests, perSecond);
}

/** The value that a service answers to a request. */
async function answerTo(port: number, request: Buffer): Promise<unknown> {
  const socket = connect(port, "127.0.0.1");
  socket.write(request.toString("latin1").replace("\r\n", "\r\nConnection: close\r\n"), "latin1");
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`a read was answered with ${answer}`);
  return JSON.parse(body);
}
