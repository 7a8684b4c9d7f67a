import type { Command } from "./command.ts";
import { agents } from "./commands/agents.ts";
import { approve } from "./commands/approve.ts";
import { apps } from "./commands/apps.ts";
import { appsCreate } from "./commands/apps-create.ts";
import { appsScopes } from "./commands/apps-scopes.ts";
import { appsShow } from "./commands/apps-show.ts";
import { appsSubmit } from "./commands/apps-submit.ts";
import { appsUpdate } from "./commands/apps-update.ts";
import { audit } from "./commands/audit.ts";
import { backup } from "./commands/backup.ts";
import { cannedReplies } from "./commands/canned-replies.ts";
import { cardCheck } from "./commands/card-check.ts";
import { cardConvert } from "./commands/card-convert.ts";
import { cardPreview } from "./commands/card-preview.ts";
import { cardRecall } from "./commands/card-recall.ts";
import { cardUpdate } from "./commands/card-update.ts";
import { checkStore } from "./commands/check-store.ts";
import { completion } from "./commands/completion.ts";
import { customerAgent } from "./commands/customer-agent.ts";
import { customerAssign } from "./commands/customer-assign.ts";
import { customerAuth } from "./commands/customer-auth.ts";
import { customerClose } from "./commands/customer-close.ts";
import { customerMessages } from "./commands/customer-messages.ts";
import { customerOpen } from "./commands/customer-open.ts";
import { customerSend } from "./commands/customer-send.ts";
import { customerSession } from "./commands/customer-session.ts";
import { customerVisitor } from "./commands/customer-visitor.ts";
import { deliveries } from "./commands/deliveries.ts";
import { desk } from "./commands/desk.ts";
import { doctor } from "./commands/doctor.ts";
import { groups } from "./commands/groups.ts";
import { install } from "./commands/install.ts";
import { installations } from "./commands/installations.ts";
import { listen } from "./commands/listen.ts";
import { login } from "./commands/login.ts";
import { logins } from "./commands/logins.ts";
import { logout } from "./commands/logout.ts";
import { masterKeyRotate } from "./commands/master-key-rotate.ts";
import { masterKeyStatus } from "./commands/master-key-status.ts";
import { members } from "./commands/members.ts";
import { membersAdd } from "./commands/members-add.ts";
import { membersUpdate } from "./commands/members-update.ts";
import { migrate } from "./commands/migrate.ts";
import { miniappCode } from "./commands/miniapp-code.ts";
import { miniappSession } from "./commands/miniapp-session.ts";
import { move } from "./commands/move.ts";
import { operatorCreate } from "./commands/operator-create.ts";
import { provision } from "./commands/provision.ts";
import { quota } from "./commands/quota.ts";
import { read } from "./commands/read.ts";
import { redeliver } from "./commands/redeliver.ts";
import { rehearse } from "./commands/rehearse.ts";
import { reject } from "./commands/reject.ts";
import { requests } from "./commands/requests.ts";
import { restore } from "./commands/restore.ts";
import { reviews } from "./commands/reviews.ts";
import { rotate } from "./commands/rotate.ts";
import { say } from "./commands/say.ts";
import { send } from "./commands/send.ts";
import { serve } from "./commands/serve.ts";
import { sign } from "./commands/sign.ts";
import { subscribe } from "./commands/subscribe.ts";
import { subscriptions } from "./commands/subscriptions.ts";
import { templatesDiff } from "./commands/templates-diff.ts";
import { templatesList } from "./commands/templates-list.ts";
import { templatesPull } from "./commands/templates-pull.ts";
import { templatesPush } from "./commands/templates-push.ts";
import { tenants } from "./commands/tenants.ts";
import { trigger } from "./commands/trigger.ts";
import { uninstall } from "./commands/uninstall.ts";
import { upload } from "./commands/upload.ts";
import { verify } from "./commands/verify.ts";
import { visitors } from "./commands/visitors.ts";
import { whoami } from "./commands/whoami.ts";

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  serve,
  provision,
  backup,
  restore,
  checkStore,
  migrate,
  move,
  masterKeyRotate,
  masterKeyStatus,
  operatorCreate,
  send,
  upload,
  cardCheck,
  cardPreview,
  cardConvert,
  cardUpdate,
  cardRecall,
  say,
  read,
  install,
  uninstall,
  installations,
  customerAuth,
  customerVisitor,
  customerSend,
  customerMessages,
  customerOpen,
  customerSession,
  customerAssign,
  customerClose,
  customerAgent,
  miniappCode,
  miniappSession,
  login,
  logins,
  logout,
  apps,
  appsCreate,
  appsShow,
  appsSubmit,
  appsScopes,
  appsUpdate,
  quota,
  templatesList,
  templatesPull,
  templatesPush,
  templatesDiff,
  agents,
  visitors,
  cannedReplies,
  desk,
  audit,
  rotate,
  requests,
  subscribe,
  subscriptions,
  verify,
  listen,
  trigger,
  rehearse,
  deliveries,
  redeliver,
  reviews,
  approve,
  reject,
  tenants,
  members,
  membersAdd,
  membersUpdate,
  groups,
  whoami,
  doctor,
  sign,
  completion,
];
