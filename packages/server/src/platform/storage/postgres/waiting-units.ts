/**
 * Units that wait for a transaction, by lane. Those of lanes that are under way stay; the others are taken in the order
 * of their lanes' coming, a fair share of each.
 */
export class WaitingUnits<Job> {
  /** Lanes with units that wait; a unit without a lane is alone in one of its own. */
  readonly #byLane = new Map<string | symbol, Job[]>();
  readonly #underWay = new Set<string | symbol>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(lane: string | undefined, job: Job): void {
    const key = lane ?? Symbol();
    const jobs = this.#byLane.get(key);
    if (jobs === undefined) this.#byLane.set(key, [job]);
    else jobs.push(job);
    this.#size++;
  }

  /** Takes up to `most` units whose lanes are free; their lanes are under way until {@link free}. */
  take(most: number): Job[] {
    const ready: [string | symbol, Job[]][] = [];
    for (const entry of this.#byLane) {
      if (ready.length === most) break;
      if (!this.#underWay.has(entry[0])) ready.push(entry);
    }
    const taken: Job[] = [];
    const share = Math.floor(most / Math.max(1, ready.length));
    for (const [, jobs] of ready) taken.push(...jobs.splice(0, share));
    for (const [key, jobs] of ready) {
      taken.push(...jobs.splice(0, most - taken.length));
      // The lane goes to the end of the line.
      this.#byLane.delete(key);
      if (jobs.length > 0) this.#byLane.set(key, jobs);
      if (typeof key === "string") this.#underWay.add(key);
    }
    this.#size -= taken.length;
    return taken;
  }

  /** The lanes' units have ended. */
  free(lanes: readonly (string | undefined)[]): void {
    for (const lane of lanes) if (lane !== undefined) this.#underWay.delete(lane);
  }

  /** Removes the units that are `selected`. */
  remove(selected: (job: Job) => boolean): Job[] {
    const removed: Job[] = [];
    for (const [key, jobs] of this.#byLane) {
      const left = jobs.filter((job) => !selected(job));
      if (left.length === jobs.length) continue;
      removed.push(...jobs.filter(selected));
      if (left.length === 0) this.#byLane.delete(key);
      else this.#byLane.set(key, left);
    }
    this.#size -= removed.length;
    return removed;
  }
}
