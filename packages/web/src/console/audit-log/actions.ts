import type { KeysOf } from "../../shared/words/words.ts";
import type { AUDIT } from "./words.ts";

/** What people do to an application, by the log's own names. */
const APP_ACTION_WORDS = {
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
  "credential.restore": "credentialRestore",
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
  "card.send-to-me": "cardSendToMe",
  "installation.create": "installationCreate",
  "installation.delete": "installationDelete",
  "agent.add": "agentAdd",
  "agent.update": "agentUpdate",
  "agent.remove": "agentRemove",
  "visitor.create": "visitorCreate",
  "visitor.update": "visitorUpdate",
  "visitor.disable": "visitorDisable",
  "visitor.enable": "visitorEnable",
  "visitor.export": "visitorExport",
  "visitor.erase": "visitorErase",
  "canned-reply.create": "cannedReplyCreate",
  "canned-reply.update": "cannedReplyUpdate",
  "canned-reply.delete": "cannedReplyDelete",
} as const satisfies Record<string, KeysOf<typeof AUDIT>>;

/** What people do to the platform. */
const PLATFORM_ACTION_WORDS = {
  "tenant.create": "tenantCreate",
  "tenant.update": "tenantUpdate",
  "member.create": "memberCreate",
  "member.update": "memberUpdate",
  "member.disable": "memberDisable",
  "member.enable": "memberEnable",
  "member.sign-out": "memberSignOut",
  "member.link": "memberLink",
  "member.unlink": "memberUnlink",
  "member.export": "memberExport",
  "member.erase": "memberErase",
  "member.delete": "memberDelete",
  "group.delete": "groupDelete",
  "scim-token.create": "scimTokenCreate",
  "scim-token.delete": "scimTokenDelete",
  "group.create": "groupCreate",
  "group.update": "groupUpdate",
  "group.members": "groupMembers",
  "developer.create": "developerCreate",
  "developer.update": "developerUpdate",
  "developer.disable": "developerDisable",
  "developer.enable": "developerEnable",
  "developer.link": "developerLink",
  "developer.unlink": "developerUnlink",
  "session.start": "sessionStart",
  "session.confirm": "sessionConfirm",
  "session.end": "sessionEnd",
  "session.revoke": "sessionRevoke",
  "session.end-all": "sessionEndAll",
  "session.end-others": "sessionEndOthers",
  "developer.change-password": "developerChangePassword",
  "second-factor.begin": "secondFactorBegin",
  "second-factor.enable": "secondFactorEnable",
  "second-factor.disable": "secondFactorDisable",
  "second-factor.recovery-codes": "secondFactorCodes",
  "second-factor.fail": "secondFactorFail",
  "second-factor.reset": "secondFactorReset",
  "master-key.begin": "masterKeyBegin",
  "master-key.end": "masterKeyEnd",
  "member.change-password": "memberChangePassword",
  "member.sign-out-everywhere": "memberSignOutEverywhere",
  "member.sign-out-elsewhere": "memberSignOutElsewhere",
  "audit.erase": "auditErase",
  "audit.gap": "auditGap",
} as const satisfies Record<string, KeysOf<typeof AUDIT>>;

/** The words of every action that has some. */
export const ACTION_WORDS = { ...APP_ACTION_WORDS, ...PLATFORM_ACTION_WORDS };

/** An action that has words of its own. */
export type KnownAction = keyof typeof ACTION_WORDS;

/** What people do to an application, in the order in which a filter offers it. */
export const APP_ACTIONS = Object.keys(APP_ACTION_WORDS) as KnownAction[];

/** Everything that people do. */
export const ALL_ACTIONS = Object.keys(ACTION_WORDS) as KnownAction[];

/** Whether an action has words of its own; a newer service may have more. */
export function isKnownAction(action: string): action is KnownAction {
  return Object.hasOwn(ACTION_WORDS, action);
}
