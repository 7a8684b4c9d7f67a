import { startBoth } from "../beside/start-both.ts";
import type { Child } from "../contenders/child.ts";
import { worldOf } from "../contenders/service.ts";
import { runFullLoad } from "../load/full-load.ts";
import { newSender } from "../load/signed-requests.ts";
import { moveToGeneratorCores } from "../machine.ts";
import { measure, type Phase } from "../phase.ts";
import type { Run } from "../run.ts";
import { startUploadFloor } from "./upload-floor.ts";
import { FILE_BYTES, uploadsOf } from "./uploads.ts";

/** Uploads in progress. */
export const AT_ONCE = 10;
const WARM_UP_SECONDS = 1;
/** The most uploads of a phase, for each of its seconds: their files stay on the disk until the end. */
const PER_SECOND = 25;
/** As much as can be stored: an application normally may not upload as fast as the machine can. */
const ENV = {
  PORTICO_LIMITS_APP_BYTES_PER_SECOND: String(2 ** 40),
  PORTICO_LIMITS_APP_BYTES_PER_HOUR: String(2 ** 45),
};

export interface UploadsResult {
  /** The floor first. */
  servers: { name: string; rounds: Phase[]; peakMemoryBytes: number | null }[];
  skipped: { name: string; reason: string }[];
  notes: string[];
}

/** Measures parallel uploads of {@link FILE_BYTES} each, beside a bare server that stores them. */
export async function compareUploads(run: Run): Promise<UploadsResult> {
  const { opened, options, placement, progress } = run;
  const sender = newSender();
  const floor = await startUploadFloor(placement.serverCore, sender.appSecret);
  opened.defer(() => floor.stop());
  const { services, skipped, notes } = await startBoth({ world: worldOf(sender), env: ENV }, run);
  opened.use(moveToGeneratorCores(placement));
  const upload = (server: Child, seconds: number) => {
    const uploads = uploadsOf(sender, PER_SECOND * seconds);
    return measure(server, AT_ONCE, (connections) => runFullLoad(connections, uploads, seconds));
  };
  const entrants = [floor, ...services.map(({ service }) => service)].map((server) => {
    return { server, rounds: [] as Phase[] };
  });
  for (const { server } of entrants) await upload(server, WARM_UP_SECONDS);
  for (let number = 1; number <= options.rounds; number++) {
    for (const { server, rounds } of entrants) {
      const phase = await upload(server, options.seconds);
      progress(`round ${number} of ${options.rounds}: ${server.name}, ${phase.perSecond.toFixed(1)} uploads/s`);
      rounds.push(phase);
    }
  }
  const servers = entrants.map(({ server, rounds }) => {
    return { name: server.name, rounds, peakMemoryBytes: server.peakMemoryBytes() };
  });
  return { servers, skipped, notes };
}
