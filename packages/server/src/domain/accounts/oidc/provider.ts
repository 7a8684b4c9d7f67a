import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  type ServerMetadata,
  WWWAuthenticateChallengeError,
} from "openid-client";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { DeveloperOidc, MemberOidc } from "../../../platform/config/oidc-settings.ts";
import { type GuardedFetch, Unreached } from "../../../platform/network/guarded-fetch.ts";
import { type ClaimSet, claimOf, doubtOf, isSubject, type NamedPerson, personIn } from "./claims.ts";
import type { Flow } from "./flow.ts";
import { OidcProblem } from "./oidc-problem.ts";

/** The provider's metadata is asked for again after this time. */
const METADATA_MS = 3_600_000;
/** If it cannot be had then, the old one is used for as long. */
const STALE_MS = 24 * METADATA_MS;
const USUAL_SCOPES = ["openid", "profile", "phone"];

/** The parts of a provider. */
interface ProviderParts {
  fetch: Pick<GuardedFetch, "fetch">;
  clock: Clock;
}

/** What a provider has said of a person who has signed in with it. */
export interface Redeemed {
  person: NamedPerson;
  claims: ClaimSet;
}

/**
 * A provider of OpenID Connect: where it has people sign in, and who they are. The checks of its answers are those of
 * openid-client, the signature of the ID token included: its keys are cached with the metadata.
 */
export class OidcProvider<Settings extends MemberOidc | DeveloperOidc = MemberOidc | DeveloperOidc> {
  readonly settings: Settings;
  readonly #fetch: ProviderParts["fetch"];
  readonly #clock: Clock;
  #known: { configuration: Configuration; loadedAt: number } | null = null;
  #loading: Promise<Configuration> | null = null;

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
    const { jwks_uri: keys } = (await this.#configuration()).serverMetadata();
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
    const configuration = await this.#configuration();
    return buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.settings.scopes ?? scopesOf(configuration.serverMetadata()),
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
  async redeem(callback: URL, { state, nonce, verifier }: Flow): Promise<Redeemed> {
    const configuration = await this.#configuration();
    try {
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || !isSubject(claims.sub)) throw new OidcProblem("TOKEN_REFUSED", "no usable sub");
      const all = await this.#completed(configuration, claims, { subject: claims.sub, token: tokens.access_token });
      return { person: personIn(all, this.settings, { issuer: claims.iss, subject: claims.sub }), claims: all };
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** The claims of the ID token, and of those that it lacks the ones that the provider tells if it is asked. */
  async #completed(
    configuration: Configuration,
    claims: ClaimSet,
    { subject, token }: { subject: string; token: string },
  ): Promise<ClaimSet> {
    const lacks = this.#wanted().some((name) => claimOf(claims, name) === undefined);
    if (!lacks || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await fetchUserInfo(configuration, token, subject)), ...claims };
  }

  #wanted(): string[] {
    const { claims, link } = this.settings;
    const operator = "operatorClaim" in this.settings ? this.settings.operatorClaim : null;
    // What links an account counts only after the provider was asked whether it doubts it.
    const doubts = link ? [doubtOf(claims.username), doubtOf(claims.phone)] : [];
    return [...Object.values(claims), ...doubts, ...(operator === null ? [] : [operator.name])];
  }

  async #configuration(): Promise<Configuration> {
    const age = this.#known === null ? Number.POSITIVE_INFINITY : this.#clock.monotonic() - this.#known.loadedAt;
    if (this.#known !== null && age < METADATA_MS) return this.#known.configuration;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    try {
      return await this.#loading;
    } catch (error) {
      if (this.#known !== null && age < STALE_MS) return this.#known.configuration;
      throw problemOf(error, "PROVIDER_UNAVAILABLE");
    }
  }

  async #load(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const loadedAt = this.#clock.monotonic();
    const guarded = (url: string, asked: Parameters<GuardedFetch["fetch"]>[1]) => this.#fetch.fetch(url, asked);
    const found = await discovery(new URL(issuer), clientId, undefined, None(), { [customFetch]: guarded });
    const metadata = found.serverMetadata();
    // One that speaks for many issuers, told apart by a claim, would let all of their people in.
    if (new URL(metadata.issuer).href !== new URL(issuer).href)
      throw new Unreached(`the provider calls itself ${metadata.issuer}, not ${issuer}`);
    const configuration = new Configuration(metadata, clientId, undefined, authenticationOf(metadata, clientSecret));
    configuration[customFetch] = guarded;
    enableNonRepudiationChecks(configuration);
    this.#known = { configuration, loadedAt };
    return configuration;
  }
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
