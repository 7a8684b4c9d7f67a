import type { KeysOf } from "../../shared/words/words.ts";
import type { AUDIT } from "./words.ts";

/** What people do to an application, by the log's own names. */
export const ACTION_WORDS = {
  "app.create": "appCreate",
  "app.update": "appUpdate",
  "app.submit": "appSubmit",
  "app.withdraw": "appWithdraw",
  "app.disable": "appDisable",
  "app.enable": "appEnable",
  "review.approve": "reviewApprove",
  "review.reject": "reviewReject",
  "credential.create": "credentialCreate",
  "credential.update": "credentialUpdate",
  "credential.rotate": "credentialRotate",
  "credential.revoke": "credentialRevoke",
  "scope.request": "scopeRequest",
  "scope.drop": "scopeDrop",
  "scope.grant": "scopeGrant",
  "quota.set": "quotaSet",
  "subscription.put": "subscriptionPut",
  "subscription.delete": "subscriptionDelete",
  "event.trigger": "eventTrigger",
  "rehearsal.arm": "rehearsalArm",
  "rehearsal.end": "rehearsalEnd",
  "delivery.redeliver": "deliveryRedeliver",
  "redelivery-job.cancel": "redeliveryCancel",
  "template.create": "templateCreate",
  "template.save": "templateSave",
  "template.delete": "templateDelete",
  "installation.create": "installationCreate",
  "installation.delete": "installationDelete",
  "agent.add": "agentAdd",
  "agent.update": "agentUpdate",
  "agent.remove": "agentRemove",
  "visitor.update": "visitorUpdate",
  "visitor.disable": "visitorDisable",
  "visitor.enable": "visitorEnable",
  "canned-reply.create": "cannedReplyCreate",
  "canned-reply.update": "cannedReplyUpdate",
  "canned-reply.delete": "cannedReplyDelete",
} as const satisfies Record<string, KeysOf<typeof AUDIT>>;

/** An action that has words of its own. */
export type AppAction = keyof typeof ACTION_WORDS;

/** All of them, in the order in which the filter offers them. */
export const APP_ACTIONS = Object.keys(ACTION_WORDS) as AppAction[];

/** Whether an action has words of its own; a newer service may have more. */
export function isAppAction(action: string): action is AppAction {
  return Object.hasOwn(ACTION_WORDS, action);
}
