import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Storage } from "../storage/storage.ts";
import { Ballast } from "./ballast.ts";
import { SparePages } from "./spare-pages.ts";

const MIB = 1024 * 1024;
const MEASURE_EVERY_MS = 1_000;
/** The default reserve: an absolute size for a large disk, a fraction of a small one. */
const MOST_RESERVE = 256 * MIB;
const SHARE_OF_DISK = 0.05;
/** The free space that each use requires, in multiples of the reserve. */
const RESERVES_FOR = { upload: 2, "upload-under-way": 1, message: 1 } as const;
/** Hysteresis: a use is allowed again only with this much more space free. */
const RESUME_FACTOR = 1.25;
/** The size of the ballast as a fraction of the reserve. It is deleted when less than this is free. */
const BALLAST_PART = 1 / 4;
const LAST_PART = 1 / 8;
/** What the log may hold that the database has no pages for. */
const MOST_BALLAST = 64 * MIB;
/** The fraction of the reserve that is kept free inside the database. */
const PAGES_PART = 1 / 8;
const MOST_PAGES = 8 * MIB;
/** With fewer free bytes a database may fail to open. */
const BYTES_TO_OPEN = MIB;
/** Delayed, because a service that runs only for a moment does not need it. */
const BALLAST_AFTER_MS = 20_000;
const RETRY_AFTER_SECONDS = 10;
/** What is stored is in the log, and then in the database, too. */
const STORED_FACTOR = 2;

/** The uses of disk space. */
export type Use = keyof typeof RESERVES_FOR;

/** The size of a directory's file system, in bytes. */
export interface Room {
  free: number;
  total: number;
}

/** The room of one upload, which takes what it will write before it writes it. */
export interface DiskClaim {
  /** Takes so many bytes more; false, and nothing is taken, when uploads leave no room for them. */
  take(bytes: number): boolean;
  /** Counts bytes that have been written. False when the disk is so full that the rest should not be. */
  wrote(bytes: number): boolean;
  /** Gives back what was taken and not written. Called once. */
  end(): void;
}

/** Asks the system for the size of a file system. */
export type Probe = (directory: string) => Promise<Room>;

const askSystem: Probe = async (directory) => {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
};

interface Parts {
  config: Config;
  storage: Storage;
  log: Logger;
  /** Default: asks the system. */
  probe?: Probe | undefined;
}

/**
 * Monitors the free disk space and refuses uses early, so that small ones remain possible on a nearly full disk: first
 * uploads are refused, then messages, but never sign-ins, recalls and reads, which must store a nonce. What has been
 * accepted since the last measurement counts as used, and what uploads under way may still write as taken. When other
 * programs fill the disk completely, a ballast file is deleted. Everything is allowed again once there is space.
 */
export class FreeSpace {
  readonly #config: Config;
  readonly #storage: Storage;
  readonly #log: Logger;
  readonly #probe: Probe;
  readonly #timers: NodeJS.Timeout[];
  readonly #refused = new Set<Use>();
  #ballast: Ballast | null = null;
  #pages: SparePages | null = null;
  #setsAside = false;
  #room: Room = { free: Number.NaN, total: Number.NaN };
  /** The file systems that uploads are written to; the first one is the database's. */
  #rooms: Room[] = [];
  /** Bytes written since the last measurement began. */
  #written = 0;
  /** Bytes that uploads under way have taken and not written yet. */
  #promised = 0;
  #measuring: Promise<void> | null = null;
  #isBlind = false;

  private constructor({ config, storage, log, probe = askSystem }: Parts) {
    this.#config = config;
    this.#storage = storage;
    this.#log = log;
    this.#probe = probe;
    this.#timers = [
      setInterval(() => void this.measure(), MEASURE_EVERY_MS),
      setTimeout(() => void this.setAside(), BALLAST_AFTER_MS),
    ];
    for (const timer of this.#timers) timer.unref();
    storage.whenFull?.(() => this.#makeRoom());
  }

  /** Measures the disk once. The folder of the blobs must exist. */
  static async open(parts: Parts): Promise<FreeSpace> {
    const space = new FreeSpace(parts);
    await space.measure();
    return space;
  }

  /** Whether there is enough space for a use. */
  accepts(use: Use): boolean {
    return !this.#refused.has(use) && this.#hasRoom(use, this.#written);
  }

  /** Whether there would be enough space if so many bytes less were free than at the last measurement. */
  #hasRoom(use: Use, bytes: number): boolean {
    if (use === "message") return this.#config.distributed !== null || this.#leaves(this.#room, use, bytes);
    return this.#rooms.every((room) => this.#leaves(room, use, bytes));
  }

  #leaves(room: Room, use: Use, bytes: number): boolean {
    // Not turned round: a disk whose size is unknown refuses nothing.
    const reserve = this.#reserveOf(room);
    return reserve === 0 || !(room.free - bytes < reserve * RESERVES_FOR[use]);
  }

  /** @throws ApiError 429001 when there is not enough space for a use. */
  check(use: Use): void {
    if (!this.accepts(use)) throw noRoom();
  }

  /** Counts the bytes of a call that is stored. */
  storing(bytes: number): void {
    this.#written += bytes * STORED_FACTOR;
  }

  /** The room of an upload; `end` must follow. */
  claim(): DiskClaim {
    let promised = 0;
    const promise = (bytes: number) => {
      promised += bytes;
      this.#promised += bytes;
    };
    return {
      take: (bytes) => {
        const fits = this.accepts("upload") && this.#hasRoom("upload", this.#written + this.#promised + bytes);
        if (fits) promise(bytes);
        return fits;
      },
      wrote: (bytes) => {
        promise(-Math.min(bytes, promised));
        this.#written += bytes;
        return this.accepts("upload-under-way");
      },
      end: () => promise(-promised),
    };
  }

  /** Resolves when there is enough space for messages. */
  async ping(): Promise<void> {
    this.check("message");
  }

  /** The free bytes of the data directory's file system at the last measurement. */
  get free(): number {
    return this.#room.free;
  }

  /** The size of that file system, in bytes. */
  get total(): number {
    return this.#room.total;
  }

  /** Measures the disk and allows or refuses uses accordingly. Never rejects. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  /** From now on reserves space, whenever there is plenty, for the time when the disk is full. */
  async setAside(): Promise<void> {
    this.#setsAside = true;
    await this.measure();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#measuring;
    await this.#ballast?.close();
  }

  async #measure(): Promise<void> {
    const { dataDir, blobs, distributed } = this.#config;
    const seen = this.#written;
    try {
      const room = await this.#probe(dataDir);
      const rooms = [room, ...(blobs.kind === "disk" ? [await this.#probe(join(dataDir, "blobs"))] : [])];
      this.#room = room;
      this.#rooms = rooms;
      this.#written -= seen;
      this.#judge("upload", rooms);
      this.#judge("upload-under-way", rooms);
      // In distributed mode, messages are stored elsewhere.
      if (distributed === null) this.#judge("message", [this.#room]);
      this.#isBlind = false;
    } catch (error) {
      if (!this.#isBlind) this.#log.warn({ err: error }, "how much room the disk has cannot be found out");
      this.#isBlind = true;
      // What was known counts; otherwise a service that cannot measure would end up refusing everything.
      this.#written -= seen;
      return;
    }
    await this.#useRoom().catch((error: unknown) => {
      this.#log.warn({ err: error }, "room could not be set aside, or what was could not be released; tried again");
    });
  }

  /** Reserves space when there is plenty, and releases it when there is none. */
  async #useRoom(): Promise<void> {
    const reserve = this.#reserveOf(this.#room);
    if (this.#config.distributed !== null || reserve === 0) return;
    const bytes = Math.floor(Math.min(MOST_BALLAST, reserve * BALLAST_PART));
    this.#ballast ??= new Ballast(ballastPath(this.#config), bytes);
    this.#pages ??= await SparePages.open(this.#storage, Math.min(MOST_PAGES, reserve * PAGES_PART));
    if (this.#room.free < reserve * LAST_PART) {
      this.#makeRoom();
      await this.#pages.release();
    } else if (this.#setsAside && this.#room.free - bytes > reserve * RESERVES_FOR.upload * RESUME_FACTOR) {
      if (await this.#pages.setAside()) this.#storage.copyLog();
      await this.#ballast.make();
    }
  }

  #judge(use: Use, rooms: Room[]): void {
    const isRefused = this.#refused.has(use);
    const factor = RESERVES_FOR[use] * (isRefused ? RESUME_FACTOR : 1);
    const isShort = rooms.some((room) => room.free < this.#reserveOf(room) * factor);
    if (isShort === isRefused) return;
    if (isShort) this.#refused.add(use);
    else this.#refused.delete(use);
    if (use === "message") this.#storage.makeDo(isShort);
    const line = { free: Math.min(...rooms.map(({ free }) => free)), use };
    if (isShort) this.#log.error(line, "the disk is nearly full: make room");
    else this.#log.info(line, "the disk has room again");
  }

  #reserveOf({ total }: Room): number {
    return reserveOf(this.#config.limits.diskReserve, total);
  }

  /**
   * The disk is full: refuses all uses until the next measurement, and deletes the ballast. The log is copied into the
   * database in the same tick: whoever fills the disk takes the freed space next, and a log that cannot be copied grows
   * until no call is possible.
   */
  #makeRoom(): void {
    for (const use of ["upload", "upload-under-way", "message"] as const) this.#refused.add(use);
    const ballast = this.#ballast?.isThere ? this.#ballast : null;
    ballast?.drop();
    this.#storage.makeDo(true);
    if (ballast === null) return;
    this.#log.error({ bytes: ballast.bytes }, "the disk is full: threw the ballast away");
    void this.#pages?.release().catch(() => {
      // The next measurement tries it again.
    });
  }
}

/**
 * Deletes the ballast when there is not even space to open the database, which creates files; a start on a full disk
 * would fail before {@link FreeSpace} exists.
 */
export async function makeRoomToOpen({ config, log, probe = askSystem }: Omit<Parts, "storage">): Promise<void> {
  if (config.distributed !== null) return;
  const room = await probe(config.dataDir).catch(() => null);
  if (room === null || room.free >= BYTES_TO_OPEN) return;
  if (Ballast.remove(ballastPath(config))) log.error("the disk is full: threw the ballast away");
}

const ballastPath = ({ dataDir }: Config) => join(dataDir, "ballast");

/** The refusal of a use for which there is no disk space. */
export function noRoom(cause?: unknown): Refusal {
  const reason = "the disk has no room for it";
  const options = { reason, retryAfterSeconds: RETRY_AFTER_SECONDS, cause };
  return new Refusal("DISK_FULL", { check: "capacity", details: null }, options);
}

/** The bytes of a disk of `total` bytes that are kept free: what is `configured`, else a share of it. */
export function reserveOf(configured: number | null, total: number): number {
  return configured ?? Math.min(MOST_RESERVE, total * SHARE_OF_DISK);
}
