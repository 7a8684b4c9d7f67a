/** The time before which connections are no longer trusted. Shared by the pools of a database. */
export class Trust {
  #since = 0;

  /** Records that a connection was lost: older ones may be dead too, without any sign of it. */
  lose(): void {
    this.#since = performance.now();
  }

  covers(madeAt: number): boolean {
    return madeAt > this.#since;
  }
}
