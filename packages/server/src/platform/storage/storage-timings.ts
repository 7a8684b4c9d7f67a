/** Is told how long the database takes. */
export interface StorageTimings {
  /** A transaction of calls is on disk, after `durationMs`, with so many units of work. */
  committed(durationMs: number, units: number): void;
  /** A sync of the embedded database's log has taken so long. */
  synced(durationMs: number): void;
}
