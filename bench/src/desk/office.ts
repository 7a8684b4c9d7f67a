import { createHash } from "node:crypto";
import { fillStore, type Store } from "../contenders/fill-store.ts";
import { QUOTA } from "../contenders/service.ts";

/** The application whose visitors are served. */
export const OFFICE = "app_office";
export const VISITORS = 1_000;
export const AGENTS = 20;
const TENANT = "t_bench";
const TOKENS_LIVE_MS = 3_600_000;

/** The visitorToken of a visitor, and the access token of an agent. */
export const visitorTokenOf = (index: number) => `token-of-visitor-${index}`;
export const agentTokenOf = (index: number) => `token-of-agent-${index}`;

export const visitorIdOf = (index: number) => `v_bench_${index}`;
/** The session of a visitor; a new store counts them from 1. */
export const sessionIdOf = (visitor: number) => visitor + 1;
/** The account of an agent; all have the same length. */
export const agentNameOf = (index: number) => `agent_${String(index).padStart(2, "0")}`;

/** Signs the integrator's calls. */
export const OFFICE_CREDENTIAL = { appId: OFFICE, credentialId: "cred_office", appSecret: "the secret of the office" };

/** The application as a provisioning file has it, without agents and visitors. */
export const OFFICE_APP = {
  appId: OFFICE,
  type: "CUSTOMER_SERVICE",
  tenant: TENANT,
  status: "ACTIVE",
  credentials: [{ credentialId: OFFICE_CREDENTIAL.credentialId, appSecret: OFFICE_CREDENTIAL.appSecret }],
  scopes: ["customer.message.send", "customer.message.read"],
  quota: QUOTA,
};

/** Inserts agents and visitors with their tokens; each visitor is in a session, and each agent has equally many. */
export async function fillOffice(store: Store): Promise<void> {
  const now = Date.now();
  const agentId = (index: number) => `u_agent_${index}`;
  await fillStore(store, "members", AGENTS, (index) => {
    return { user_id: agentId(index), tenant_id: TENANT, username: agentNameOf(index), name: `Agent ${index}` };
  });
  await fillStore(store, "app_agents", AGENTS, (index) => ({ app_id: OFFICE, user_id: agentId(index) }));
  await fillStore(store, "member_tokens", AGENTS, (index) => {
    return { token_hash: hashOf(agentTokenOf(index)), user_id: agentId(index), expires_at: now + TOKENS_LIVE_MS };
  });
  await fillStore(store, "visitors", VISITORS, (index) => {
    const who = { visitor_id: visitorIdOf(index), third_user_id: `c-${index}`, nickname: `Visitor ${index}` };
    return { ...who, app_id: OFFICE, status: 1, created_at: now };
  });
  await fillStore(store, "visitor_tokens", VISITORS, (index) => {
    return {
      token_hash: hashOf(visitorTokenOf(index)),
      visitor_id: visitorIdOf(index),
      expires_at: now + TOKENS_LIVE_MS,
    };
  });
  await fillStore(store, "customer_sessions", VISITORS, (index) => {
    const times = { queued_at: now, created_at: now, assigned_at: now, first_assigned_at: now };
    const agent = { status: "ACTIVE", agent_user_id: agentId(index % AGENTS) };
    return {
      app_id: OFFICE,
      visitor_id: visitorIdOf(index),
      ...agent,
      source: "widget",
      subject: "",
      ...times,
      version: 1,
    };
  });
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
