import type { Child } from "./child.ts";

/** The highest memory that a service needed, of all its processes. */
export interface PeakMemory {
  name: string;
  bytes: number;
}

/** Remembers the services that a comparison starts, for their peak memory. */
export class MemoryWatch {
  readonly #services: Pick<Child, "name" | "peakMemoryBytes">[] = [];

  /** Watches a process of a service until its end; returns it. */
  watch<Service extends Pick<Child, "name" | "peakMemoryBytes">>(service: Service): Service {
    this.#services.push(service);
    return service;
  }

  /** By the services' names, in the order in which they were first watched; without those that the system does not report. */
  peaks(): PeakMemory[] {
    const peaks = new Map<string, number>();
    for (const { name, peakMemoryBytes } of this.#services) {
      const bytes = peakMemoryBytes();
      if (bytes !== null) peaks.set(name, Math.max(bytes, peaks.get(name) ?? 0));
    }
    return Array.from(peaks, ([name, bytes]) => ({ name, bytes }));
  }
}
