import type { RequestSigner } from "../load/signed-requests.ts";
import { moveToGeneratorCores } from "../machine.ts";
import type { Phase } from "../phase.ts";
import type { Run } from "../run.ts";
import { type Entrant, enter, noFigures, takeTurn } from "./measure-works.ts";
import type { BothServices, StoredService } from "./start-both.ts";
import type { WorkFigures, Works } from "./work.ts";

/** What one service reached. */
export interface ServiceWorks {
  name: string;
  /** Signed sends at full load, round by round; none when there are no sends to compare with them. */
  signed: Phase[];
  works: WorkFigures[];
}

export interface WorksResult extends Pick<BothServices, "skipped" | "notes"> {
  services: ServiceWorks[];
}

/**
 * Measures the works of each service, round by round in turns.
 *
 * @param prepare fills a service's store, and says what is asked of it.
 * @param more what else a round measures of a service.
 */
export async function compareWorks(
  { services, skipped, notes }: BothServices,
  signer: RequestSigner,
  prepare: (stored: StoredService) => Promise<Works>,
  run: Run,
  more?: (entrant: Entrant) => Promise<void>,
): Promise<WorksResult> {
  const { opened, options, placement, progress } = run;
  opened.use(moveToGeneratorCores(placement));
  const entrants = [];
  for (const stored of services) {
    const works = await prepare(stored);
    const entrant = await enter({ service: stored.service, signer, works }, run);
    const { name } = stored.service;
    entrants.push({ entrant, figures: { name, signed: [] as Phase[], works: noFigures(works) } });
  }
  for (let number = 1; number <= options.rounds; number++) {
    for (const { entrant, figures } of entrants) {
      progress(`round ${number} of ${options.rounds}: ${figures.name}`);
      const signed = await takeTurn(entrant, figures.works, run);
      if (signed !== null) figures.signed.push(signed);
      await more?.(entrant);
    }
  }
  return { services: entrants.map(({ figures }) => figures), skipped, notes };
}
