/** Statements whose plans may contain steps that are otherwise forbidden, each with the reason. */
interface Exception {
  statement: RegExp;
  why: string;
}

/** Tables that may be read completely, or in the order of an index until a limit is reached, or past a column of one. */
export const SCANNED: Exception[] = [
  { statement: /^select "app_id" from "apps" where "status" = \S+$/, why: "a migration, once" },
  { statement: /from \(select .* from "audit_entries" order by .* limit/, why: "the newest, up to a limit" },
  {
    statement: /^select "nonce" from "nonces_\d" .*limit/,
    why: "what is remembered is read once, at a start, in slices",
  },
  {
    statement: /^(select (min|max)\("signed_at"\) as "at"|delete) from "nonces_\d"/,
    why: "on PostgreSQL alone, of a partition that is about to be emptied: its key leaves the time out",
  },
  {
    statement: /^update "deliveries" set "(claimed|due_at)" = .* where "due_at" is not null/,
    why: "once, before a service starts",
  },
  { statement: /^delete from "socket_connections"$/, why: "the same" },
  {
    statement: /from "customer_sessions" inner join "desk_agents"/,
    why: "sessions that agents have at hand: an index holds no others",
  },
  {
    statement: /from "desk_agents" where .* and exists \(select "session_id" from "customer_sessions" .* = 'QUEUED'\)/,
    why: "sessions that wait: an index holds no others",
  },
  {
    statement:
      /^select .* from "(tenants|developers|groups|members|visitors|customer_texts)" where .* like .* order by .* limit/s,
    why: "more than 1,000 rows hold the keyword, so the first of them are soon met",
  },
  {
    statement: /"apps"\."app_id" in \(select "apps"\."app_id" from "apps" where .* order by .* limit/s,
    why: "the same, or all applications in the order of an index up to a limit",
  },
  {
    statement: /^select .* from "(tenants|developers)" where 1 = 1 order by .* limit/,
    why: "in the order of an index, up to a limit",
  },
  {
    statement: /^select .* from "developers" .*where "operator" = \S+ and "disabled" = \S+$/,
    why: "once for each operator whose claim was taken away",
  },
  {
    statement: /^select count\(\*\) as total from \(select 1 from "(tenants|developers|apps)" where 1 = 1\)/,
    why: "an operator's list has a total; it is counted from an index, where it holds nobody up",
  },
  {
    statement: /from deliveries d\s+left join socket_conversations/,
    why: "an application's events that wait for a socket, in their order: an index holds no others",
  },
  {
    statement: /^update "deliveries" set .* where "app_id" = \S+ and "due_at" is not null .* and "socket" = /,
    why: "the same",
  },
  {
    statement: /^select 1 as "one" from "deliveries" where "app_id" = \S+ and "due_at" is not null and "socket" = /,
    why: "the same, up to a limit",
  },
  {
    statement: /from audit_links as l\s+left join audit_entries/,
    why: "is swept by keys: where it runs, no joins are merged",
  },
  {
    statement: /^select "members"\."user_id" as "userId", "username" from "developers" inner join "members" /,
    why: "is looked up by keys: where it runs, no joins are merged",
  },
  {
    statement: /^select "audit_id" as "id" from "audit_entries" where "target" in /,
    why: "what is known of one person, in slices",
  },
  {
    statement: /^\s*with folded as \(/,
    why: "in the order of its key, up to a limit; rows stay in it for a tenth of a second",
  },
];

/** Statements that may sort what they have read. */
export const SORTED: Exception[] = [
  { statement: /^\s*with folded as \(/, why: "what was noted in a tenth of a second" },
  { statement: /^\s*select pg_advisory_xact_lock\(number\)/, why: "the nonces of a few dozen calls" },
  {
    statement: /from "apps" where "tenant_id" = .* "type" = .* "status" = .* order by "display_name"/,
    why: "a tenant's bots, each of which an operator has let in; all of them are shown",
  },
  {
    statement:
      /from \(select .* from "installations" where "app_id" = .* order by .* limit .* order by first_installed_at/,
    why: "a slice of an application's installations, cut out in the order of an index",
  },
  {
    statement: /with slice as materialized \(.* from installations where app_id = .* limit \(select 100\)/s,
    why: "the same slice, as text",
  },
  {
    statement: /^\s*with (page|created) as materialized \(.* from messages\s+where conversation_key = .* limit/s,
    why: "a page of a conversation, cut out in the order of indexes, as text",
  },
  { statement: /search_index|search_grams/, why: "at most 1,000 rows that hold a keyword" },
  {
    statement: /^delete from "miniapp_codes" .* not in \(select .* limit/,
    why: "a member has at most ten codes for an application",
  },
  { statement: /^delete from "member_tokens" where "user_id" = .* not in/s, why: "a member has at most 100 tokens" },
  {
    statement: /from "apps" where "tenant_id" = .* order by "display_name"/,
    why: "a tenant's bots, all of which are told",
  },
  { statement: /from "installations" where "status" = .* order by "installed_at"/, why: "what one member can see" },
  {
    statement: /^delete from "visitor_tokens" where "visitor_id" = .* not in/s,
    why: "a visitor has at most 20 tokens",
  },
  {
    statement: /from "credentials" where "app_id" = /,
    why: "an application has at most 50 credentials in their grace",
  },
  { statement: /from "app_agents" inner join "members".* where "app_agents"."app_id" = /, why: "at most 1,000 agents" },
  { statement: /from "app_agents" inner join "apps".* where "app_agents"."user_id" = /, why: "one member's desks" },
  { statement: /from "installations" inner join "apps" .*"target_id" = /, why: "one member's bots" },
  { statement: /from "group_members" inner join "groups" .* where "user_id" = /, why: "one member's groups" },
  {
    statement: /from group_members join groups .* from installations join apps .* as listed/s,
    why: "the conversations of one member, or of the few dozen who ask at the same time",
  },
  {
    statement: /from "group_members" inner join "members" .* where "group_id" = /,
    why: "a group has at most 5,000 members",
  },
  { statement: /from "developer_tenants" inner join "tenants"/, why: "the tenants of a page's developers" },
  {
    statement: /from "developers" where "phone" = .* order by exists .* limit /s,
    why: "one in each channel",
  },
  {
    statement: /"visitors"\."visitor_id" in \(select "visitors"\."visitor_id" from "visitors" .* limit/s,
    why: "a page of visitors",
  },
  { statement: /"apps"\."app_id" in \(select "apps"\."app_id" from "apps" .* limit/s, why: "a page of applications" },
  { statement: /^\s*with digit as/, why: "the pairs of 36 digits" },
  { statement: /from "canned_replies" /, why: "an application has at most 500 canned replies" },
  { statement: /from "card_templates" as "templates"/, why: "an application has at most 500 templates" },
  { statement: /from "deliveries" where .* limit .*\) as "slice" group by/, why: "a slice of 10,000" },
  { statement: /from "call_counts" where .*"minute" < .* group by/, why: "a slice of 4,000 minutes" },
  { statement: /from "call_errors" where .*"minute" < .* group by/, why: "a slice of 1,000 minutes" },
  { statement: /from "customer_sessions" inner join "desk_agents"/, why: "sessions of agents who have vanished" },
  {
    statement: /from "customer_sessions" .* "status" = 'ACTIVE' and "agent_user_id" = /,
    why: "one agent's open sessions",
  },
  { statement: /from "developers" inner join "members" on "members"."phone"/, why: "members with one phone number" },
  { statement: /from "redelivery_jobs" where "state" = 'RUNNING'/, why: "an application has at most ten that run" },
];
