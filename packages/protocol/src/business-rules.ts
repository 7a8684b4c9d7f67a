import { ERRORS, type ErrorKind } from "./errors.ts";

interface Rule {
  kind: ErrorKind;
  /** What the caller is told, where that is not what the error table says. */
  message?: string;
  /** What its developer can do, the likeliest first. */
  advice: readonly string[];
}

/** What a well-formed call of the open API can ask for in vain, with what the caller is told and what helps. */
export const BUSINESS_RULES = {
  "bot-not-installed": {
    kind: "FORBIDDEN",
    message: "机器人未安装到目标会话",
    advice: [
      "Install the bot in the conversation first: a member of the group does that in the messenger, for one member the console can too.",
      "GET /api/open/v2/bot/installations lists where it is installed.",
      "receiveId is the targetId of an installation; receiveIdType is group_id for a GROUP, user_id for a USER.",
    ],
  },
  "file-unusable": {
    kind: "FORBIDDEN",
    message: "fileKey无效或已过期",
    advice: [
      "Upload the file again and use the new fileKey: it is good for ten minutes, in messages of the application that uploaded it.",
    ],
  },
  "message-not-delivered": {
    kind: "FORBIDDEN",
    message: "消息未投递给此应用",
    advice: ["Reply to messages that this application got an event of: the id is the event's message.messageId."],
  },
  "message-not-sent": {
    kind: "FORBIDDEN",
    message: "消息未投递给此应用",
    advice: [
      "An application updates and recalls the cards that it sent itself: use the messageId its send answered with.",
    ],
  },
  "reply-target": {
    kind: "FORBIDDEN",
    message: "回复目标与父消息不匹配",
    advice: [
      "A reply goes to the conversation of the message it answers: take receiveIdType and receiveId from message.receiveIdType and message.chatId of its event.",
    ],
  },
  "not-a-card": {
    kind: "INVALID_REQUEST",
    message: "卡片消息不存在",
    advice: ["The message is of another type: only what was sent as msgType card can be updated or recalled."],
  },
  "template-unknown": {
    kind: "INVALID_REQUEST",
    message: "卡片模板不存在",
    advice: ["The application has no card template of this cardId: compare it with those in the console."],
  },
  "not-a-picture": {
    kind: "INVALID_REQUEST",
    message: "card image img_key必须引用图片文件",
    advice: ["Upload the picture with its own type, image/png for example, as the Content-Type of the part."],
  },
  "card-version": {
    kind: "INTERNAL",
    advice: [
      "The card has another version than the one that was asked for: look at what it is now, then update it with its present version, or leave version out to overwrite whatever is there.",
      "A card just sent has version 1, or that of its template; each update adds 1.",
    ],
  },
  "login-code": {
    kind: "FORBIDDEN",
    message: "登录码无效或已过期",
    advice: [
      "Have the mini-program ask for another code: each is good once, for two minutes, for the application it was made for.",
    ],
  },
  "other-application": {
    kind: "UNAUTHENTICATED",
    message: "应用不存在",
    advice: ["appId in the body has to be the application that signs the call: correct it, or leave it out."],
  },
  "visitor-unknown": {
    kind: "VISITOR_NOT_FOUND",
    advice: ["The application has no visitor of this visitorId: POST visitor/auth makes one and answers with its id."],
  },
  "visitor-disabled": {
    kind: "VISITOR_DISABLED",
    advice: ["The application's owner has disabled this visitor, and can enable them in the console."],
  },
  "session-unknown": {
    kind: "SESSION_NOT_FOUND",
    advice: [
      "sessionId has to be a session of this application's; a message goes to the visitor's open one, or leave sessionId out.",
    ],
  },
  "session-not-closed": {
    kind: "SESSION_NOT_FOUND",
    message: "关闭会话失败",
    advice: ["The application has no session of this sessionId: GET visitor/info tells a visitor's currentSessionId."],
  },
  "agent-unknown": {
    kind: "AGENT_NOT_FOUND",
    advice: ["agentId is the user name of a member whom the application's owner has made an agent in the console."],
  },
  "assignment-failed": {
    kind: "ASSIGNMENT_FAILED",
    advice: [
      "An open session can be given to an agent of the application; without agentId, one has to be online with room.",
    ],
  },
} as const satisfies Record<string, Rule>;

/** Stable name of a rule of {@link BUSINESS_RULES}. */
export type BusinessRule = keyof typeof BUSINESS_RULES;

export const BUSINESS_RULE_NAMES = Object.keys(BUSINESS_RULES) as BusinessRule[];

/** The code and the message of a call that breaks a rule. */
export function answerOf(rule: BusinessRule): { kind: ErrorKind; code: string; message: string } {
  const { kind, message = ERRORS[kind].message }: Rule = BUSINESS_RULES[rule];
  return { kind, code: ERRORS[kind].code, message };
}

/** The rules that an answer may stand for: mostly one. */
export function rulesAnswered(code: string, message: string): BusinessRule[] {
  return BUSINESS_RULE_NAMES.filter((rule) => {
    const answer = answerOf(rule);
    return answer.code === code && answer.message === message;
  });
}
