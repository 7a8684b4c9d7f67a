import { brokenRule } from "../../platform/errors/refusal.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { type DeskAgent, findAgent } from "./agent-store.ts";
import { findVisitor, type VisitorRow } from "./visitor-store.ts";

/** @throws ApiError 400100 when the application has no such visitor. */
export async function requireVisitor(db: Db, appId: string, visitorId: string): Promise<VisitorRow> {
  const visitor = await findVisitor(db, appId, visitorId);
  if (visitor === null) throw brokenRule("visitor-unknown", { pointer: "/visitorId" });
  return visitor;
}

/** @throws ApiError 400100 when the application has no such visitor, 400101 when they are disabled. */
export async function requireEnabledVisitor(db: Db, appId: string, visitorId: string): Promise<VisitorRow> {
  const visitor = await requireVisitor(db, appId, visitorId);
  if (visitor.status === 0) throw brokenRule("visitor-disabled", { pointer: "/visitorId" });
  return visitor;
}

/** @throws ApiError 400401 when no agent of the application has this account. */
export async function requireAgent(db: Db, appId: string, agentId: string): Promise<DeskAgent> {
  const agent = await findAgent(db, appId, agentId);
  if (agent === null) throw brokenRule("agent-unknown", { pointer: "/agentId" });
  return agent;
}
