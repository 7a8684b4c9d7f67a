import { type RawBuilder, type SqlBool, sql } from "kysely";
import { deleteAllButNewest } from "../../platform/storage/delete-all-but-newest.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";
import type { CallOrigin } from "./developer.ts";
import { type RefreshState, readRotated } from "./refresh-rotation.ts";

/** Limits per account (logins) and per login (access tokens). When a limit is reached, the oldest is removed. */
const MAX_LOGINS = 100;
const MAX_TOKENS_OF_LOGIN = 20;

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

/** Columns of a row with their values. */
export type Columns = Readonly<Record<string, string | number | null>>;

/** The tables of one kind of account, and what is different about them. */
interface LoginTables<Ended> {
  logins: "console_logins" | "member_logins";
  tokens: "console_access_tokens" | "member_tokens";
  accounts: "developers" | "members";
  /** The column of `logins` and `accounts` that identifies the account. */
  accountId: "developer_id" | "user_id";
  /** Further columns that the beginning and each renewal of a login set. */
  originColumns?(login: RenewedLogin): Columns;
  /** For access tokens that name their account too: the column, and the most tokens of one account. */
  tokensOfAccount?: { accountId: "user_id"; max: number };
  /** The columns that the end of a login returns. */
  ended: RawBuilder<Ended>;
}

/** The logins of one kind of account in the database, with their access tokens. */
export class LoginTable<Ended> {
  readonly #tables: LoginTables<Ended>;
  readonly #logins: RawBuilder<unknown>;
  readonly #accountId: RawBuilder<unknown>;
  readonly #trimLogins;
  readonly #trimTokensOfLogin;
  readonly #trimTokensOfAccount;

  constructor(tables: LoginTables<Ended>) {
    const { logins, tokens, accountId, tokensOfAccount } = tables;
    this.#tables = tables;
    this.#logins = sql.table(logins);
    this.#accountId = sql.ref(accountId);
    this.#trimLogins = deleteAllButNewest(logins, "login_id", accountId);
    this.#trimTokensOfLogin = deleteAllButNewest(tokens, "token_hash", "login_id");
    this.#trimTokensOfAccount =
      tokensOfAccount && deleteAllButNewest(tokens, "token_hash", tokensOfAccount.accountId, true);
  }

  /** Whether this login exists. */
  async isLogin(db: Db, loginId: string): Promise<boolean> {
    const { rows } = await sql`select login_id from ${this.#logins} where login_id = ${loginId}`.execute(db);
    return rows.length > 0;
  }

  /**
   * Locks a login until the transaction ends: an update locks a row on both engines. Null when it has expired or its
   * account is disabled.
   */
  async lock(tx: Db, loginId: string, now: number): Promise<{ accountId: string; state: RefreshState } | null> {
    const accounts = sql.table(this.#tables.accounts);
    const id = this.#accountId;
    const { rows } = await sql<Omit<RefreshState, "rotated"> & { accountId: string; rotated: string }>`
      update ${this.#logins} set refresh_hash = refresh_hash
      where login_id = ${loginId} and expires_at > ${now} and exists (
        select 1 from ${accounts} where ${accounts}.${id} = ${this.#logins}.${id} and disabled = 0)
      returning ${id} as "accountId", refresh_hash as "refreshHash", generation, rotated, shared_until as "sharedUntil"
    `.execute(tx);
    const [row] = rows;
    if (row === undefined) return null;
    const { accountId, rotated, ...state } = row;
    return { accountId, state: { ...state, rotated: readRotated(rotated) } };
  }

  /** Inserts a login with its kind's columns and `further` ones. */
  async insert(tx: Db, accountId: string, login: RenewedLogin, further: Columns = {}): Promise<void> {
    await this.#trimLogins(tx, accountId, MAX_LOGINS - 1);
    await insertRow(tx, this.#tables.logins, {
      login_id: login.loginId,
      [this.#tables.accountId]: accountId,
      created_at: login.now,
      ...this.#renewedColumns(login),
      ...further,
    });
  }

  async renew(tx: Db, login: RenewedLogin): Promise<void> {
    const changes = Object.entries(this.#renewedColumns(login)).map(
      ([name, value]) => sql`${sql.ref(name)} = ${value}`,
    );
    await sql`update ${this.#logins} set ${sql.join(changes)} where login_id = ${login.loginId}`.execute(tx);
  }

  /** Deletes a login with its access tokens; null when there is none. */
  async end(tx: Db, loginId: string): Promise<Ended | null> {
    const { rows } = await sql<Ended>`
      delete from ${this.#logins} where login_id = ${loginId} returning ${this.#tables.ended}
    `.execute(tx);
    return rows[0] ?? null;
  }

  /** Deletes all logins of an account with their access tokens. */
  async endAll(tx: Db, accountId: string): Promise<void> {
    await sql`delete from ${this.#logins} where ${this.#accountId} = ${accountId}`.execute(tx);
  }

  async insertAccessToken(tx: Db, loginId: string, accountId: string, token: HashedToken): Promise<void> {
    const { tokens, tokensOfAccount } = this.#tables;
    const row = { token_hash: token.hash, login_id: loginId, expires_at: token.expiresAt };
    await this.#trimTokensOfLogin(tx, loginId, MAX_TOKENS_OF_LOGIN - 1);
    if (tokensOfAccount === undefined) return await insertRow(tx, tokens, row);
    await this.#trimTokensOfAccount?.(tx, accountId, tokensOfAccount.max - 1);
    await insertRow(tx, tokens, { ...row, [tokensOfAccount.accountId]: accountId });
  }

  /** Deletes expired access tokens, then logins that can be neither renewed nor used any more. */
  async sweep(storage: Writes, now: number): Promise<void> {
    const { logins, tokens } = this.#tables;
    const old = { column: "expires_at", before: now + 1 } as const;
    await removeOld(storage, tokens, { key: ["token_hash"], ...old });
    const condition = sql<SqlBool>`not exists (
      select 1 from ${sql.table(tokens)} where ${sql.table(tokens)}.login_id = ${this.#logins}.login_id)`;
    await removeOld(storage, logins, { key: ["login_id"], ...old, condition });
  }

  #renewedColumns(login: RenewedLogin): Columns {
    return {
      refresh_hash: login.refreshHash,
      generation: login.generation,
      rotated: JSON.stringify(login.rotated),
      shared_until: login.sharedUntil,
      expires_at: login.expiresAt,
      ...this.#tables.originColumns?.(login),
    };
  }
}

async function insertRow(tx: Db, table: string, row: Columns): Promise<void> {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(tx);
}
