import type { Member } from "@portico/protocol";
import { sql } from "kysely";
import type { Clock } from "../../platform/clock/clock.ts";
import { growingLru } from "../../platform/limits/growing-lru.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { hashOfToken } from "./refresh-tokens.ts";

const MAX_CACHED = 10_000;
/** Must stay below one second: what ends a token or changes its member takes effect in every process within a second. */
const FRESH_MS = 800;

/** The member of a token, and when the token expires, in epoch milliseconds. */
interface Signed {
  member: Member;
  expiresAt: number;
}

interface Entry extends Signed {
  /** On the monotonic clock. */
  loadedAt: number;
}

const selectMember = prepared<{ tokenHash: string; now: number }>()((db, param) =>
  db
    .selectFrom("member_tokens")
    .innerJoin("members", "members.user_id", "member_tokens.user_id")
    .select(["members.user_id as userId", "username", "name", "tenant_id as tenantId", "expires_at as expiresAt"])
    .where("token_hash", "=", param("tokenHash"))
    .where("expires_at", ">", param("now"))
    .where("disabled", "=", sql.lit(0)),
);

/**
 * Finds members by their access tokens, with a cache of less than a second: a member's calls come in numbers. Only tokens
 * that are valid are cached, so invented ones displace none. Calls of one token that come together share a look-up.
 */
export class MemberTokens {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  /** By hash. */
  readonly #known = growingLru<Entry>(MAX_CACHED);
  /** By hash: look-ups in progress whose result may be used for further calls. */
  readonly #loading = new Map<string, Promise<Signed | null>>();

  /** @param onChange called when this process has changed a member. */
  constructor(db: Db, clock: Clock, onChange: () => void) {
    this.#db = db;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** The member whose access token this is; null when it is unknown or expired, or the member disabled. */
  async memberOf(accessToken: string): Promise<Member | null> {
    if (!/^[\w-]{1,128}$/.test(accessToken)) return null;
    return await this.memberOfHash(hashOfToken(accessToken));
  }

  /** The same for the hash of a token. */
  async memberOfHash(hash: string): Promise<Member | null> {
    const now = this.#clock.now();
    const known = this.#known.get(hash);
    const isFresh = known !== undefined && this.#clock.monotonic() - known.loadedAt < FRESH_MS;
    const signed = isFresh ? known : await (this.#loading.get(hash) ?? this.#load(hash, now));
    return signed !== null && signed.expiresAt > now ? signed.member : null;
  }

  /** Forgets a member, after tokens of theirs have ended or their name has changed. */
  forget(userId: string): void {
    for (const [hash, { member }] of this.#known.entries()) if (member.userId === userId) this.#known.delete(hash);
    // Whose these are is not known yet, and they may have been read before the change.
    this.#loading.clear();
    this.#onChange();
  }

  #load(hash: string, now: number): Promise<Signed | null> {
    const loadedAt = this.#clock.monotonic();
    const loading = this.#read(hash, now);
    this.#loading.set(hash, loading);
    const isCurrent = () => this.#loading.get(hash) === loading;
    loading.then(
      (signed) => {
        if (!isCurrent()) return;
        this.#loading.delete(hash);
        if (signed === null) this.#known.delete(hash);
        else this.#known.set(hash, { ...signed, loadedAt });
      },
      // A failed look-up fails those that wait for it only.
      () => isCurrent() && this.#loading.delete(hash),
    );
    return loading;
  }

  async #read(tokenHash: string, now: number): Promise<Signed | null> {
    const row = await selectMember.first(this.#db, { tokenHash, now });
    if (row === undefined) return null;
    const { expiresAt, ...member } = row;
    return { member, expiresAt };
  }
}
