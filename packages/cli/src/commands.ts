import type { Command } from "./command.ts";
import { approve } from "./commands/approve.ts";
import { apps } from "./commands/apps.ts";
import { appsCreate } from "./commands/apps-create.ts";
import { appsScopes } from "./commands/apps-scopes.ts";
import { appsShow } from "./commands/apps-show.ts";
import { appsSubmit } from "./commands/apps-submit.ts";
import { cardCheck } from "./commands/card-check.ts";
import { cardRecall } from "./commands/card-recall.ts";
import { cardUpdate } from "./commands/card-update.ts";
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
import { installations } from "./commands/installations.ts";
import { listen } from "./commands/listen.ts";
import { login } from "./commands/login.ts";
import { logins } from "./commands/logins.ts";
import { logout } from "./commands/logout.ts";
import { miniappSession } from "./commands/miniapp-session.ts";
import { provision } from "./commands/provision.ts";
import { read } from "./commands/read.ts";
import { redeliver } from "./commands/redeliver.ts";
import { reject } from "./commands/reject.ts";
import { requests } from "./commands/requests.ts";
import { reviews } from "./commands/reviews.ts";
import { rotate } from "./commands/rotate.ts";
import { send } from "./commands/send.ts";
import { serve } from "./commands/serve.ts";
import { sign } from "./commands/sign.ts";
import { subscribe } from "./commands/subscribe.ts";
import { subscriptions } from "./commands/subscriptions.ts";
import { trigger } from "./commands/trigger.ts";
import { upload } from "./commands/upload.ts";
import { verify } from "./commands/verify.ts";
import { whoami } from "./commands/whoami.ts";

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  serve,
  provision,
  send,
  upload,
  cardCheck,
  cardUpdate,
  cardRecall,
  read,
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
  miniappSession,
  login,
  logins,
  logout,
  apps,
  appsCreate,
  appsShow,
  appsSubmit,
  appsScopes,
  rotate,
  requests,
  subscribe,
  subscriptions,
  verify,
  listen,
  trigger,
  deliveries,
  redeliver,
  reviews,
  approve,
  reject,
  whoami,
  sign,
  completion,
];
