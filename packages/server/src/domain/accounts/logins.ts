import type { Clock } from "../../platform/clock/clock.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { CallOrigin } from "./developer.ts";
import { afterRepeat, afterRotation, judge, type RefreshState } from "./refresh-rotation.ts";
import { hashOfToken, newAccessToken, RefreshTokens } from "./refresh-tokens.ts";

/** The dependencies of logins. */
export interface LoginParts {
  storage: Storage;
  clock: Clock;
  secretBox: SecretBox;
}

/** What a login has when it begins or is renewed. */
export interface RenewedLogin extends RefreshState {
  loginId: string;
  now: number;
  /** When the refresh token expires, in epoch milliseconds. */
  expiresAt: number;
  origin: CallOrigin;
}

/** A token by its hash, as the database keeps it. */
export interface HashedToken {
  hash: string;
  expiresAt: number;
}

/** The statements about the logins of one kind of account. `Owner` is who is logged in. */
export interface LoginStore<Owner, Ended> {
  isLogin(db: Db, loginId: string): Promise<boolean>;
  /** Locks a login until the transaction ends; null when it has expired or its owner may not log in any more. */
  lock(tx: Db, loginId: string, now: number): Promise<{ owner: Owner; state: RefreshState } | null>;
  renew(tx: Db, login: RenewedLogin): Promise<void>;
  /** Deletes a login with its access tokens; null when there is none. */
  end(tx: Db, loginId: string): Promise<Ended | null>;
  insertAccessToken(tx: Db, loginId: string, owner: Owner, token: HashedToken): Promise<void>;
}

/** How long the tokens of an account live. */
interface Lives {
  accessMs: number;
  refreshMs: number;
}

/** The tokens that a login has given. */
export interface GivenTokens {
  accessToken: string;
  /** Of the access token. */
  expiresAt: number;
  refreshToken: string;
}

/** The logins of one kind of account: how they begin, are renewed by their refresh token, and end. */
export class Logins<Owner, Ended> {
  readonly #ctx: LoginParts;
  readonly #store: LoginStore<Owner, Ended>;
  readonly #lives: Lives;
  readonly #tokens: RefreshTokens;

  constructor(ctx: LoginParts, purpose: string, store: LoginStore<Owner, Ended>, lives: Lives) {
    this.#ctx = ctx;
    this.#store = store;
    this.#lives = lives;
    this.#tokens = new RefreshTokens(ctx.secretBox, purpose);
  }

  /** Begins a login in a transaction; `insert` puts it into the database. */
  async begin(
    tx: Db,
    owner: Owner,
    origin: CallOrigin,
    insert: (login: RenewedLogin) => Promise<void>,
  ): Promise<GivenTokens> {
    const name = RefreshTokens.newName();
    const refreshToken = this.#tokens.tokenOf(name, 0);
    const state = { refreshHash: hashOfToken(refreshToken), generation: 0, rotated: [], sharedUntil: 0 };
    const login = this.#renewed(hashOfToken(name), state, origin);
    await insert(login);
    return { ...(await this.#giveAccess(tx, login, owner)), refreshToken };
  }

  /**
   * Renews a login by a refresh token (see refresh-rotation.ts for what each is worth). Reuse of an old one means that two
   * parties hold it, so it ends the login and all its tokens (RFC 9700, section 4.14.2).
   *
   * @param onReuse called in the transaction that ends the login.
   * @returns null when the token was used before, has expired or is unknown.
   */
  async refresh(
    token: string,
    origin: CallOrigin,
    onReuse: (tx: Db, ended: Ended, now: number) => Promise<void>,
  ): Promise<(GivenTokens & { owner: Owner }) | { ended: Ended | null }> {
    const name = RefreshTokens.nameIn(token);
    if (name === null) return { ended: null };
    const loginId = hashOfToken(name);
    // Anybody can send invented cookies; they must not cause a write.
    if (!(await this.#store.isLogin(this.#ctx.storage.db, loginId))) return { ended: null };
    return await this.#ctx.storage.write(async (tx) => {
      const now = this.#ctx.clock.now();
      const found = await this.#store.lock(tx, loginId, now);
      const next = found && this.#next(name, found.state, hashOfToken(token), now);
      if (!found || !next) {
        const ended = await this.#store.end(tx, loginId);
        if (ended !== null) await onReuse(tx, ended, now);
        return { ended };
      }
      const login = this.#renewed(loginId, next.state, origin);
      await this.#store.renew(tx, login);
      const access = await this.#giveAccess(tx, login, found.owner);
      return { ...access, refreshToken: next.refreshToken, owner: found.owner };
    });
  }

  /**
   * Ends the login that a refresh token names, current or not, with all its tokens.
   *
   * @param onEnd called in the transaction that ends it.
   */
  async end(token: string, onEnd: (tx: Db, ended: Ended, now: number) => Promise<void>): Promise<Ended | null> {
    const { storage, clock } = this.#ctx;
    const name = RefreshTokens.nameIn(token);
    if (name === null) return null;
    const loginId = hashOfToken(name);
    if (!(await this.#store.isLogin(storage.db, loginId))) return null;
    return await storage.write(async (tx) => {
      const ended = await this.#store.end(tx, loginId);
      if (ended !== null) await onEnd(tx, ended, clock.now());
      return ended;
    });
  }

  /** The token to give for this one, and the state that goes with it; null when the token is worth nothing any more. */
  #next(
    name: string,
    state: RefreshState,
    presented: string,
    now: number,
  ): { refreshToken: string; state: RefreshState } | null {
    const presentedAs = judge(state, presented, now);
    if (presentedAs === "reused") return null;
    const current = this.#tokens.tokenOf(name, state.generation);
    // The current token of a login from an earlier version was random and cannot be given again.
    if (presentedAs === "repeat" && hashOfToken(current) === state.refreshHash) {
      return { refreshToken: current, state: afterRepeat(state, now) };
    }
    const refreshToken = this.#tokens.tokenOf(name, state.generation + 1);
    return { refreshToken, state: afterRotation(state, hashOfToken(refreshToken), now) };
  }

  #renewed(loginId: string, state: RefreshState, origin: CallOrigin): RenewedLogin {
    const now = this.#ctx.clock.now();
    return { ...state, loginId, now, expiresAt: now + this.#lives.refreshMs, origin };
  }

  async #giveAccess(
    tx: Db,
    { loginId, now }: RenewedLogin,
    owner: Owner,
  ): Promise<Pick<GivenTokens, "accessToken" | "expiresAt">> {
    const { token, hash, expiresAt } = newAccessToken(now + this.#lives.accessMs);
    await this.#store.insertAccessToken(tx, loginId, owner, { hash, expiresAt });
    return { accessToken: token, expiresAt };
  }
}
