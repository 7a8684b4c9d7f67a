import type { SignInStep } from "@portico/protocol";
import type { Generated } from "kysely";

/** Who vouches for a member, other than an operator: the directory of the tenant, or its provider. */
export type Voucher = "SCIM" | "OIDC";

/** Tenants, members, groups and developers, and how they sign in. */
export interface PeopleTables {
  tenants: { tenant_id: string; name: string };
  members: {
    user_id: string;
    tenant_id: string;
    username: string;
    name: string;
    password_hash: string | null;
    phone: string | null;
    /** 1 while an operator has disabled the member, or their directory has. */
    disabled: Generated<number>;
    /** Who has; null for who was disabled before that was noted. Says nothing of who is not disabled. */
    disabled_by: Generated<"OPERATOR" | "SCIM" | null>;
    /**
     * Who answers for it that the phone number is the member's: a directory or a provider that has written it, the password or
     * whether the member is active; an operator who has written the number since. Null while none of that has happened.
     */
    vouched_by: Generated<"OPERATOR" | Voucher | null>;
    /** Null for members from before it was noted. */
    added_at: Generated<number | null>;
    /** When what a directory sees of the member was changed last. */
    edited_at: Generated<number | null>;
  };
  /** One row per login of a member, as in `console_logins`. */
  member_logins: {
    login_id: string;
    user_id: string;
    refresh_hash: string;
    created_at: number;
    expires_at: number;
    generation: number;
    rotated: string;
    shared_until: number;
    /** Null for logins from before these were kept. */
    address: Generated<string | null>;
    user_agent: Generated<string | null>;
    last_used_at: Generated<number | null>;
    /** The provider that the member has signed in with; null: with a password. */
    issuer: Generated<string | null>;
  };
  member_tokens: {
    token_hash: string;
    user_id: string;
    expires_at: number;
    /** Null for tokens from before there were logins. */
    login_id: Generated<string | null>;
  };
  /** Who a member is to the provider of their tenant; domain/accounts/oidc. */
  member_identities: { tenant_id: string; issuer: string; subject: string; user_id: string; created_at: number };
  /** Tokens with which a directory manages a tenant's people; domain/scim. */
  scim_tokens: { token_id: string; tenant_id: string; name: string; token_hash: string; created_at: number };
  /** What a directory says of members beside what everybody has of them. */
  scim_users: {
    user_id: string;
    tenant_id: string;
    external_id: string | null;
    deleted_at: number | null;
    /** How the directory calls the member, where that is no user name; null: by the user name. */
    user_name: Generated<string | null>;
    /** The display name, where it was said and is not made of the other names; domain/scim/person-name.ts. */
    display_name: Generated<string | null>;
    formatted_name: Generated<string | null>;
    given_name: Generated<string | null>;
    family_name: Generated<string | null>;
    /** JSON text: a list of addresses; null for none. */
    emails: Generated<string | null>;
  };
  /** Members who have been erased, and how far the removal of what they have left has come; domain/persons. */
  member_erasures: {
    user_id: string;
    tenant_id: string;
    /** What is removed at the moment, and up to where it has been; domain/persons/erasure-steps.ts. */
    step: string;
    position: string;
    /** JSON text: by what the person is known in records of others; null when all has been removed. */
    searched: string | null;
    /** JSON text: what has been erased. */
    report: string;
    /** The entry of the audit log that tells of the erasure. */
    erased_by: number;
    /** PostgreSQL's id of the transaction that shut the member out; null on SQLite. */
    after_transaction: string | null;
    started_at: number;
    /** Null until all has been removed. */
    finished_at: number | null;
    lease_until: number;
  };
  scim_groups: {
    group_id: string;
    tenant_id: string;
    display_name: string;
    external_id: string | null;
    added_at: Generated<number | null>;
    edited_at: Generated<number | null>;
  };
  scim_group_members: { group_id: string; user_id: string };
  groups: { group_id: string; tenant_id: string; name: string };
  group_members: { group_id: string; user_id: string };
  developers: {
    developer_id: string;
    phone: string;
    channel_id: number;
    name: string;
    password_hash: string | null;
    operator: number;
    /** When the word of the provider that they are an operator has ended; null: it does not end. */
    operator_until: Generated<number | null>;
    /** 1 while an operator has disabled the developer. */
    disabled: Generated<number>;
  };
  /** The same for a developer. */
  developer_identities: { issuer: string; subject: string; developer_id: string; created_at: number };
  /** Sign-ins by a provider that have ended, so that none ends twice. */
  oidc_used_flows: { nonce_hash: string; expires_at: number };
  developer_tenants: { developer_id: string; tenant_id: string };
  /** One row per login of a developer, removed when the login ends. */
  console_logins: {
    /** Hash of the constant part of its refresh tokens. */
    login_id: string;
    developer_id: string;
    /** Hash of the valid refresh token. */
    refresh_hash: string;
    created_at: number;
    /** When the refresh token expires. */
    expires_at: number;
    /** The id under which its developer lists and revokes it. */
    session_id: string | null;
    /** Where and when it was begun or last renewed. */
    address: string | null;
    user_agent: string | null;
    last_used_at: number | null;
    /** Counts the rotations of its refresh token. */
    generation: Generated<number>;
    /** JSON text: the refresh tokens that have been rotated of late; domain/accounts/refresh-rotation.ts. */
    rotated: Generated<string>;
    /** Until when the refresh token is not rotated, because several hold it. */
    shared_until: Generated<number>;
    /** 1 when it began with a second factor, or in a way that needs none. */
    second_factor: Generated<number>;
    /** The member on whose sign-in to the messenger it rests; null without one. */
    user_id: Generated<string | null>;
    /** The only tenant that it sees; null: all of the developer's. */
    tenant_id: Generated<string | null>;
  };
  /** The second factor of a developer: a secret shared with an authenticator app (RFC 6238). */
  developer_factors: {
    developer_id: string;
    secret_box: string;
    created_at: number;
    /** When its first code was entered; null until then, and it counts for nothing. */
    confirmed_at: number | null;
    /** The time step of the last code that was accepted: no code of it or an earlier one is any more. */
    last_step: number;
    /** Wrong codes of the app in the 24 hours that began then. */
    failures: Generated<number>;
    failures_since: Generated<number>;
    /** Wrong codes since the last sign-in with a right one, and when the first was. */
    unseen_failures: Generated<number>;
    unseen_since: Generated<number>;
  };
  /** Recovery codes that have not been used. */
  developer_recovery_codes: { code_hash: string; developer_id: string };
  /** Sign-ins whose first step is done. */
  sign_in_challenges: {
    challenge_hash: string;
    developer_id: string;
    step: SignInStep;
    method: "password" | "qr";
    /** A digest of the password's hash at the first step; null without a password. */
    password_mark: string | null;
    /** Codes that were tried. */
    tries: number;
    /** Secrets that were asked for. */
    enrolments: Generated<number>;
    expires_at: number;
    /** As in `console_qr_logins`. */
    user_id: Generated<string | null>;
    member_session: Generated<string | null>;
  };
  console_access_tokens: { token_hash: string; login_id: string; expires_at: number };
  /** Sign-ins by QR code; a row is removed after its token has expired. */
  console_qr_logins: {
    token_hash: string;
    state: "PENDING" | "SCANNED" | "CONFIRMED" | "USED";
    /** The member who scanned the code. */
    user_id: string | null;
    developer_id: string | null;
    /** The address that requested the code. */
    address: string;
    user_agent: string;
    expires_at: number;
    /** The member's login that confirmed it: its `login_id`, or the hash of a token that belongs to none. */
    member_session: Generated<string | null>;
  };
}
