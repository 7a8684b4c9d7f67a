import { randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { ApiError } from "@portico/protocol";
import { FairQueue } from "../../platform/limits/fair-queue.ts";
import { type HashCost, HashThread } from "./hash-thread.ts";

/** The minimum that OWASP recommends for Argon2id. */
const SAFE_COST: HashCost = { memoryKib: 19_456, passes: 2 };

/** At most half of the machine: each thread uses 19 MiB and one core. */
const THREADS = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
/** Checks of one lane that may wait for a thread; each takes about 16 ms. */
const MAX_ORDINARY = 16;
const MAX_RESERVED = 256;

const SALT_BYTES = 16;

/** Whose passwords are hashed: developers who sign in, members who sign in, or accounts that the service provisions. */
const LANES = ["console", "members", "own"] as const;

/** The lanes of sign-ins. */
export type SignInLane = Exclude<(typeof LANES)[number], "own">;

/** Where a check is queued. */
export interface HashPlace {
  lane: SignInLane;
  /** Callers of one lane are served round-robin. */
  caller: string;
  /** Whether the check goes before all others of its lane. */
  reserved: boolean;
}

interface Job {
  password: string;
  salt: Buffer;
  tag: PromiseWithResolvers<Buffer>;
}

/** The queues of one lane. */
interface Waiting {
  reserved: FairQueue<Job>;
  ordinary: FairQueue<Job>;
}

/**
 * Hashes and checks passwords with Argon2id (RFC 9106), a bounded number at a time, in its own threads: Node's thread
 * pool stays free for file access and DNS. Lanes are served round-robin, so a flood in one does not delay the others.
 */
export class PasswordHasher {
  readonly #cost: HashCost;
  readonly #threads: readonly HashThread[];
  readonly #idle: HashThread[];
  readonly #lanes: Record<(typeof LANES)[number], Waiting> = {
    console: { reserved: new FairQueue(MAX_RESERVED), ordinary: new FairQueue(MAX_ORDINARY) },
    members: { reserved: new FairQueue(MAX_RESERVED), ordinary: new FairQueue(MAX_ORDINARY) },
    own: { reserved: new FairQueue(0), ordinary: new FairQueue(Number.POSITIVE_INFINITY) },
  };
  #turn = 0;
  readonly #decoy = randomBytes(48).toString("base64");

  /**
   * @param threads how many hashes run at a time.
   * @param cost the cost of all hashes, including those that are checked.
   */
  constructor({ threads = THREADS, cost = SAFE_COST }: { threads?: number; cost?: HashCost | undefined } = {}) {
    this.#cost = cost;
    this.#threads = Array.from({ length: threads }, () => new HashThread());
    this.#idle = [...this.#threads];
  }

  /** Hashes a password; waits however long the queue is. For provisioning only, not for callers. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const tag = await this.#tag(password, salt, this.#lanes.own.ordinary, "");
    return Buffer.concat([salt, tag]).toString("base64");
  }

  /** Whether `password` matches `hash`. For provisioning only, not for sign-ins. */
  async matches(password: string, hash: string): Promise<boolean> {
    const bytes = Buffer.from(hash, "base64");
    const tag = await this.#tag(password, bytes.subarray(0, SALT_BYTES), this.#lanes.own.ordinary, "");
    return timingSafeEqual(tag, bytes.subarray(SALT_BYTES));
  }

  /**
   * Whether `password` matches `hash`. A null hash never matches but takes as long, so that the time does not reveal
   * which accounts exist.
   *
   * @throws ApiError 429001 when too many checks are queued.
   */
  async verify(password: string, hash: string | null, { lane, caller, reserved }: HashPlace): Promise<boolean> {
    const bytes = Buffer.from(hash ?? this.#decoy, "base64");
    const queue = this.#lanes[lane][reserved ? "reserved" : "ordinary"];
    const tag = await this.#tag(password, bytes.subarray(0, SALT_BYTES), queue, caller);
    return timingSafeEqual(tag, bytes.subarray(SALT_BYTES)) && hash !== null;
  }

  /** Resolves when all checks that the caller has queued now are done. */
  async afterAllOf(lane: SignInLane, caller: string): Promise<void> {
    const { reserved, ordinary } = this.#lanes[lane];
    await Promise.allSettled([reserved, ordinary].map((queue) => queue.newestOf(caller)?.tag.promise));
  }

  /** Ends the threads. Queued checks are rejected. */
  async close(): Promise<void> {
    const stopping = new Error("the service is stopping");
    for (let job = this.#takeJob(); job !== null; job = this.#takeJob()) job.tag.reject(stopping);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #tag(password: string, salt: Buffer, queue: FairQueue<Job>, caller: string): Promise<Buffer> {
    const job = { password, salt, tag: Promise.withResolvers<Buffer>() };
    const displaced = queue.add(caller, job);
    displaced?.tag.reject(new ApiError("LOGINS_TOO_MANY", { retryAfterSeconds: 1 }));
    this.#next();
    return job.tag.promise;
  }

  #next(): void {
    while (this.#idle.length > 0) {
      const job = this.#takeJob();
      const thread = job && this.#idle.pop();
      if (!thread) return;
      void this.#run(thread, job);
    }
  }

  async #run(thread: HashThread, { tag, ...order }: Job): Promise<void> {
    try {
      tag.resolve(await thread.tag({ ...order, cost: this.#cost }));
    } catch (error) {
      tag.reject(error);
    }
    this.#idle.push(thread);
    this.#next();
  }

  #takeJob(): Job | null {
    for (let tried = 0; tried < LANES.length; tried++) {
      const lane = LANES[this.#turn++ % LANES.length] ?? "own";
      const { reserved, ordinary } = this.#lanes[lane];
      const job = reserved.take() ?? ordinary.take();
      if (job !== null) return job;
    }
    return null;
  }
}
