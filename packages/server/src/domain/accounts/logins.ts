import type { Clock } from "../../platform/clock/clock.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { CallOrigin } from "./developer.ts";
import type { Columns, LoginTable, RenewedLogin } from "./login-table.ts";
import { afterRepeat, afterRotation, judge, type RefreshState } from "./refresh-rotation.ts";
import { hashOfToken, newAccessToken, RefreshTokens } from "./refresh-tokens.ts";

/** The dependencies of logins. */
export interface LoginParts {
  storage: Storage;
  clock: Clock;
  secretBox: SecretBox;
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
export class Logins<Ended> {
  readonly #ctx: LoginParts;
  readonly #table: LoginTable<Ended>;
  readonly #lives: Lives;
  readonly #tokens: RefreshTokens;

  constructor(ctx: LoginParts, purpose: string, table: LoginTable<Ended>, lives: Lives) {
    this.#ctx = ctx;
    this.#table = table;
    this.#lives = lives;
    this.#tokens = new RefreshTokens(ctx.secretBox, purpose);
  }

  /** Begins a login in a transaction; `columns` are those that only this kind of login has. */
  async begin(tx: Db, accountId: string, origin: CallOrigin, columns: Columns = {}): Promise<GivenTokens> {
    const name = RefreshTokens.newName();
    const refreshToken = this.#tokens.tokenOf(name, 0);
    const state = { refreshHash: hashOfToken(refreshToken), generation: 0, rotated: [], sharedUntil: 0 };
    const login = this.#renewed(hashOfToken(name), state, origin);
    await this.#table.insert(tx, accountId, login, columns);
    return { ...(await this.#giveAccess(tx, login, accountId)), refreshToken };
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
  ): Promise<(GivenTokens & { accountId: string }) | { ended: Ended | null }> {
    const name = RefreshTokens.nameIn(token);
    if (name === null) return { ended: null };
    const loginId = hashOfToken(name);
    // Anybody can send invented cookies; they must not cause a write.
    if (!(await this.#table.isLogin(this.#ctx.storage.db, loginId))) return { ended: null };
    return await this.#ctx.storage.write(async (tx) => {
      const now = this.#ctx.clock.now();
      const found = await this.#table.lock(tx, loginId, now);
      const next = found && this.#next(name, found.state, hashOfToken(token), now);
      if (!found || !next) {
        const ended = await this.#table.end(tx, loginId);
        // Without `found` it has expired, or its account has been disabled.
        if (ended !== null && found !== null) await onReuse(tx, ended, now);
        return { ended };
      }
      const login = this.#renewed(loginId, next.state, origin);
      await this.#table.renew(tx, login);
      const access = await this.#giveAccess(tx, login, found.accountId);
      return { ...access, refreshToken: next.refreshToken, accountId: found.accountId };
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
    if (!(await this.#table.isLogin(storage.db, loginId))) return null;
    return await storage.write(async (tx) => {
      const ended = await this.#table.end(tx, loginId);
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
    const current = this.#tokens.tokensOf(name, state.generation).find((one) => hashOfToken(one) === state.refreshHash);
    // The current token of a login from an earlier version was random and cannot be given again.
    if (presentedAs === "repeat" && current !== undefined) {
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
    accountId: string,
  ): Promise<Pick<GivenTokens, "accessToken" | "expiresAt">> {
    const { token, hash, expiresAt } = newAccessToken(now + this.#lives.accessMs);
    await this.#table.insertAccessToken(tx, loginId, accountId, { hash, expiresAt });
    return { accessToken: token, expiresAt };
  }
}
