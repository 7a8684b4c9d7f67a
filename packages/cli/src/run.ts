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
import { login } from "./commands/login.ts";
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
import { upload } from "./commands/upload.ts";
import { verify } from "./commands/verify.ts";
import { whoami } from "./commands/whoami.ts";
import { explainFailure } from "./failure.ts";
import { nearest } from "./nearest.ts";
import { columns, complain, print, printable } from "./terminal.ts";

const COMMANDS: readonly Command[] = [
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
  deliveries,
  redeliver,
  reviews,
  approve,
  reject,
  whoami,
  sign,
];

/** Runs the command that `args` name. Returns the exit code: 0 done, 1 failed, 2 wrongly used. */
export async function run(args: readonly string[]): Promise<number> {
  const [word] = args;
  if (word === undefined) {
    complain(overview(COMMANDS));
    return 2;
  }
  if (word === "--help" || word === "-h" || word === "help") {
    print(overview(COMMANDS));
    return 0;
  }
  const command = commandOf(args);
  if (command === undefined) return withoutCommand(args);
  const rest = args.slice(command.name.split(" ").length);
  if (asksForHelp(rest)) {
    print(`${command.summary}\n\nusage: ${command.usage}\n\n${command.help}`);
    return 0;
  }
  try {
    await command.run(rest);
    return 0;
  } catch (error) {
    return explainFailure(error, command);
  }
}

/** The command that `args` name; one of a group rather than the command that the group is called by. */
function commandOf(args: readonly string[]): Command | undefined {
  const isNamed = ({ name }: Command) => name.split(" ").every((word, index) => word === args[index]);
  const found =
    COMMANDS.findLast((command) => command.name.includes(" ") && isNamed(command)) ?? COMMANDS.find(isNamed);
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${found?.name} `));
  // A group takes no arguments, so a word behind it is meant for one of its commands.
  const isMisspelled = isGroup && args[1] !== undefined && !args[1].startsWith("-");
  return isMisspelled ? undefined : found;
}

function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [`  ${name}`, summary] as const);
  const list = columns(rows).join("\n");
  return `usage: portico COMMAND [OPTIONS]\n\n${list}\n\n\`portico COMMAND --help\` tells more about each.`;
}

/** Helps along whoever named no command, or a group of them only. */
function withoutCommand(args: readonly string[]): number {
  const [first = "", second = ""] = args;
  const group = COMMANDS.filter(({ name }) => name === first || name.startsWith(`${first} `));
  if (group.length > 0 && asksForHelp(args)) {
    print(overview(group));
    return 0;
  }
  const [name, commands] = group.length > 0 ? [`${first} ${second}`.trim(), group] : [first, COMMANDS];
  const names = commands.map((command) => command.name);
  const meant = nearest(name, names);
  const hint = meant === undefined ? `commands: ${names.join(", ")}` : `did you mean "${meant}"?`;
  complain(`portico: no command "${printable(name)}"; ${hint}`, "usage: portico COMMAND [OPTIONS]");
  return 2;
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}
