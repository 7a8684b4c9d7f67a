import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  getJwksCache,
  None,
  ResponseBodyError,
  type ServerMetadata,
  setJwksCache,
  WWWAuthenticateChallengeError,
} from "openid-client";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { DeveloperOidc, MemberOidc } from "../../../platform/config/oidc-settings.ts";
import { Allowances } from "../../../platform/limits/allowances.ts";
import { AnswerTooLong, type GuardedFetch, Unreached } from "../../../platform/network/guarded-fetch.ts";
import { type ClaimSet, claimOf, doubtOf, isSubject, type NamedPerson, personIn } from "./claims.ts";
import type { Flow } from "./flow.ts";
import { OidcProblem } from "./oidc-problem.ts";

/** The provider's metadata is asked for again after this time. */
const METADATA_MS = 3_600_000;
/** If it cannot be had then, the old one is used for as long. */
const STALE_MS = 24 * METADATA_MS;
const USUAL_SCOPES = ["openid", "profile", "phone"];
/** Tokens that the known keys do not fit have the keys asked for again, so often at most: the provider may have changed them. */
const KEY_REQUESTS = { amount: 10, periodMs: 60_000 };

/** The parts of a provider. */
interface ProviderParts {
  fetch: Pick<GuardedFetch, "fetch">;
  clock: Clock;
}

/** What a provider has said of a person who has signed in with it. */
export interface Redeemed {
  person: NamedPerson;
  claims: ClaimSet;
  /** Why the userinfo endpoint could not be asked for what the ID token lacks; null: nothing was left unasked. */
  unasked: OidcProblem | null;
}

/** Asks a server, as `fetch` does. */
type Ask = GuardedFetch["fetch"];
type Keys = ReturnType<typeof getJwksCache>;

/**
 * A provider of OpenID Connect: where it has people sign in, and who they are. The checks of its answers are those of
 * openid-client, the signature of the ID token included.
 */
export class OidcProvider<Settings extends MemberOidc | DeveloperOidc = MemberOidc | DeveloperOidc> {
  readonly settings: Settings;
  readonly #fetch: ProviderParts["fetch"];
  readonly #clock: Clock;
  readonly #keyRequests = new Allowances(KEY_REQUESTS.amount, KEY_REQUESTS.periodMs);
  #known: { metadata: ServerMetadata; loadedAt: number } | null = null;
  #loading: Promise<ServerMetadata> | null = null;
  /** As the last sign-in has left them. */
  #keys: Keys;

  constructor(settings: Settings, { fetch, clock }: ProviderParts) {
    this.settings = settings;
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * Asks for what every sign-in needs: the provider's metadata and its keys.
   *
   * @throws OidcProblem when they cannot be had, or the provider calls itself something else.
   */
  async check(): Promise<void> {
    const { jwks_uri: keys } = await this.#metadata();
    try {
      if (keys === undefined) throw new Unreached("the provider names no keys");
      const { status } = await this.#fetch.fetch(keys, { method: "GET", headers: { accept: "application/json" } });
      if (status !== 200) throw new Unreached(`the provider's keys answered with ${status}`);
    } catch (error) {
      throw problemOf(error, "PROVIDER_UNAVAILABLE");
    }
  }

  /**
   * Where a browser goes to sign in.
   *
   * @throws OidcProblem when the provider cannot be reached.
   */
  async authorizationUrl({ state, nonce, verifier }: Flow, redirectUri: string): Promise<URL> {
    const metadata = await this.#metadata();
    return buildAuthorizationUrl(this.#client(metadata, this.#ask), {
      redirect_uri: redirectUri,
      scope: this.settings.scopes ?? scopesOf(metadata),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
  }

  /**
   * The person behind an answer that a browser brings from the provider.
   *
   * @param callback the address that was called, with the answer in its query.
   * @throws OidcProblem when it is not the answer to `flow`, is not the provider's, or the provider cannot be reached.
   */
  async redeem(callback: URL, flow: Flow): Promise<Redeemed> {
    const metadata = await this.#metadata();
    try {
      const tokens = await this.#tokens(metadata, callback, flow);
      const claims = tokens.claims();
      if (claims === undefined || !isSubject(claims.sub)) throw new OidcProblem("TOKEN_REFUSED", "no usable sub");
      const { all, unasked } = await this.#completed(metadata, claims, {
        subject: claims.sub,
        token: tokens.access_token,
      });
      const person = personIn(all, this.settings, { issuer: claims.iss, subject: claims.sub });
      const { link, claims: names } = this.settings;
      const isDoubtUnknown = link && unasked !== null && claimOf(all, doubtOf(names.phone)) === undefined;
      return { person: isDoubtUnknown ? { ...person, phone: null } : person, claims: all, unasked };
    } catch (error) {
      throw problemOf(error);
    }
  }

  /**
   * The tokens for a callback's code. Where the keys that are known do not fit the ID token, they are asked for again: the
   * provider may have changed them. The code is redeemed once all the same.
   */
  async #tokens(metadata: ServerMetadata, callback: URL, { state, nonce, verifier }: Flow) {
    const { token_endpoint: endpoint = "" } = metadata;
    let answer: Promise<Response> | null = null;
    const ask: Ask = async (url, asked) => {
      // Asked for as URLs are written, whatever the provider writes.
      if (url !== URL.parse(endpoint)?.href) return await this.#ask(url, asked);
      answer ??= this.#ask(url, asked);
      return (await answer).clone();
    };
    const redeem = async (keys: Keys) => {
      const client = this.#client(metadata, ask);
      if (keys !== undefined) setJwksCache(client, keys);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      try {
        return await authorizationCodeGrant(client, callback, checks);
      } finally {
        this.#keys = getJwksCache(client) ?? this.#keys;
      }
    };
    const known = this.#keys;
    try {
      return await redeem(known);
    } catch (error) {
      if (known === undefined || !isOfOtherKey(error) || !this.#mayAskForKeys()) throw error;
      return await redeem(undefined);
    }
  }

  #mayAskForKeys(): boolean {
    const now = this.#clock.monotonic();
    if (this.#keyRequests.waitFor("", 1, now) > 0) return false;
    this.#keyRequests.take("", 1, now);
    return true;
  }

  /**
   * The claims of the ID token, and of those that it lacks the ones that the provider tells if it is asked. One that does not
   * answer keeps nobody out who needs no more.
   *
   * @throws an error when it tells of somebody else.
   */
  async #completed(
    metadata: ServerMetadata,
    claims: ClaimSet,
    { subject, token }: { subject: string; token: string },
  ): Promise<{ all: ClaimSet; unasked: OidcProblem | null }> {
    const lacks = this.#wanted().some((name) => claimOf(claims, name) === undefined);
    if (!lacks || metadata.userinfo_endpoint === undefined) return { all: claims, unasked: null };
    try {
      const told = await fetchUserInfo(this.#client(metadata, this.#ask), token, subject);
      return { all: { ...told, ...claims }, unasked: null };
    } catch (error) {
      if (isOfAnother(error)) throw error;
      const { message } = problemOf(error);
      return {
        all: claims,
        unasked: new OidcProblem("PROVIDER_UNAVAILABLE", `userinfo: ${message}`, { cause: error }),
      };
    }
  }

  #wanted(): string[] {
    const { claims, link } = this.settings;
    const operator = "operatorClaim" in this.settings ? this.settings.operatorClaim : null;
    // What links an account counts only after the provider was asked whether it doubts it.
    const doubts = link ? [doubtOf(claims.username), doubtOf(claims.phone)] : [];
    return [...Object.values(claims), ...doubts, ...(operator === null ? [] : [operator.name])];
  }

  async #metadata(): Promise<ServerMetadata> {
    const age = this.#known === null ? Number.POSITIVE_INFINITY : this.#clock.monotonic() - this.#known.loadedAt;
    if (this.#known !== null && age < METADATA_MS) return this.#known.metadata;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    try {
      return await this.#loading;
    } catch (error) {
      if (this.#known !== null && age < STALE_MS) return this.#known.metadata;
      throw problemOf(error, "PROVIDER_UNAVAILABLE");
    }
  }

  async #load(): Promise<ServerMetadata> {
    const { issuer, clientId } = this.settings;
    const loadedAt = this.#clock.monotonic();
    const found = await discovery(new URL(issuer), clientId, undefined, None(), { [customFetch]: this.#ask });
    const metadata = found.serverMetadata();
    // One that speaks for many issuers, told apart by a claim, would let all of their people in.
    if (new URL(metadata.issuer).href !== new URL(issuer).href)
      throw new Unreached(`the provider calls itself ${metadata.issuer}, not ${issuer}`);
    this.#known = { metadata, loadedAt };
    return metadata;
  }

  readonly #ask: Ask = (url, asked) => this.#fetch.fetch(url, asked);

  /** What speaks to the provider. Each has keys of its own. */
  #client(metadata: ServerMetadata, ask: Ask): Configuration {
    const { clientId, clientSecret, clockToleranceMs } = this.settings;
    const own = { [clockTolerance]: clockToleranceMs / 1_000 };
    const client = new Configuration(metadata, clientId, own, authenticationOf(metadata, clientSecret));
    client[customFetch] = ask;
    enableNonRepudiationChecks(client);
    return client;
  }
}

/** Whether an ID token is signed by a key that is not known, or not as the known one would. */
function isOfOtherKey(error: unknown): boolean {
  return someCause(error, (each) => {
    const code = "code" in each ? each.code : "";
    return code === "OAUTH_KEY_SELECTION_FAILED" || /signature verification failed/.test(each.message);
  });
}

/** Whether the userinfo endpoint has named another subject than the ID token (OpenID Connect Core, section 5.3.2). */
function isOfAnother(error: unknown): boolean {
  return someCause(error, (each) => "code" in each && each.code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED");
}

/** Whether an error or what has caused it is so. */
function someCause(error: unknown, isSo: (each: Error) => boolean): boolean {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    if (isSo(each)) return true;
  }
  return false;
}

/** A provider that does not say takes the secret in the header (OpenID Connect Discovery, section 3). */
function authenticationOf({ token_endpoint_auth_methods_supported: methods }: ServerMetadata, secret: string | null) {
  if (secret === null) return None();
  const takesHeader = methods === undefined || methods.includes("client_secret_basic");
  return takesHeader ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

/** Some providers refuse scopes that they do not have. */
function scopesOf({ scopes_supported: supported }: ServerMetadata): string {
  return USUAL_SCOPES.filter((scope) => scope === "openid" || (supported?.includes(scope) ?? true)).join(" ");
}

/** @param otherwise what an error means of which nothing is known. */
function problemOf(error: unknown, otherwise: "TOKEN_REFUSED" | "PROVIDER_UNAVAILABLE" = "TOKEN_REFUSED"): OidcProblem {
  if (error instanceof OidcProblem) return error;
  const cause = { cause: error };
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    if (each instanceof AnswerTooLong) return new OidcProblem(otherwise, each.message, cause);
    if (each instanceof Unreached) return new OidcProblem("PROVIDER_UNAVAILABLE", each.message, cause);
  }
  if (error instanceof AuthorizationResponseError)
    return new OidcProblem("PROVIDER_REFUSED", codeOf(error.error), cause);
  if (error instanceof ResponseBodyError) return new OidcProblem("TOKEN_REFUSED", codeOf(error.error), cause);
  if (error instanceof WWWAuthenticateChallengeError) return new OidcProblem(otherwise, "unauthorized", cause);
  if (error instanceof ClientError) return new OidcProblem(otherwise, `${error.code}: ${error.message}`, cause);
  if (error instanceof TypeError) return new OidcProblem(otherwise, error.message, cause);
  throw error;
}

/** A code of the other side, which the log takes. */
function codeOf(error: string): string {
  return error.slice(0, 100);
}
