import { ApiError, type ApiErrorCode, type Stated } from "./errors/index.ts";

interface Rule {
  /** The error in the answer. */
  error: Extract<Stated<ApiErrorCode>, string>;
  /** What the developer can do, the most likely first. */
  advice: readonly string[];
}

/** The rules that a well-formed call of the open API can break, with the error of the answer and advice. */
export const BUSINESS_RULES = {
  "bot-not-installed": {
    error: "BOT_NOT_INSTALLED",
    advice: [
      "Install the bot in the conversation first: a member of the group does that in the messenger, for one member the console can too.",
      "GET /api/open/v2/bot/installations lists where it is installed.",
      "receiveId is the targetId of an installation; receiveIdType is group_id for a GROUP, user_id for a USER.",
    ],
  },
  "file-unusable": {
    error: "FILE_UNUSABLE",
    advice: [
      "Upload the file again and use the new fileKey: it is good for ten minutes, in messages of the application that uploaded it.",
    ],
  },
  "message-not-delivered": {
    error: "MESSAGE_NOT_DELIVERED",
    advice: ["Reply to messages that this application got an event of: the id is the event's message.messageId."],
  },
  "message-not-sent": {
    error: "MESSAGE_NOT_DELIVERED",
    advice: [
      "An application updates and recalls the cards that it sent itself: use the messageId its send answered with.",
    ],
  },
  "reply-target": {
    error: "REPLY_TARGET_MISMATCH",
    advice: [
      "A reply goes to the conversation of the message it answers: take receiveIdType and receiveId from message.receiveIdType and message.chatId of its event.",
    ],
  },
  "not-a-card": {
    error: "NOT_A_CARD_MESSAGE",
    advice: ["The message is of another type: only what was sent as msgType card can be updated or recalled."],
  },
  "template-unknown": {
    error: "CARD_TEMPLATE_UNKNOWN",
    advice: ["The application has no card template of this cardId: compare it with those in the console."],
  },
  "not-a-picture": {
    error: "CARD_IMAGE_NOT_A_PICTURE",
    advice: ["Upload the picture with its own type, image/png for example, as the Content-Type of the part."],
  },
  "card-version": {
    error: "INTERNAL",
    advice: [
      "The card has another version than the one that was asked for: look at what it is now, then update it with its present version, or leave version out to overwrite whatever is there.",
      "A card just sent has version 1, or that of its template; each update adds 1.",
    ],
  },
  "login-code": {
    error: "LOGIN_CODE_UNUSABLE",
    advice: [
      "Have the mini-program ask for another code: each is good once, for two minutes, for the application it was made for.",
    ],
  },
  "other-application": {
    error: "OTHER_APPLICATION",
    advice: ["appId in the body has to be the application that signs the call: correct it, or leave it out."],
  },
  "visitor-unknown": {
    error: "VISITOR_NOT_FOUND",
    advice: ["The application has no visitor of this visitorId: POST visitor/auth makes one and answers with its id."],
  },
  "visitor-disabled": {
    error: "VISITOR_DISABLED",
    advice: ["The application's owner has disabled this visitor, and can enable them in the console."],
  },
  "session-unknown": {
    error: "SESSION_NOT_FOUND",
    advice: [
      "sessionId has to be a session of this application's; a message goes to the visitor's open one, or leave sessionId out.",
    ],
  },
  "session-not-closed": {
    error: "SESSION_NOT_CLOSED",
    advice: ["The application has no session of this sessionId: GET visitor/info tells a visitor's currentSessionId."],
  },
  "agent-unknown": {
    error: "AGENT_NOT_FOUND",
    advice: ["agentId is the user name of a member whom the application's owner has made an agent in the console."],
  },
  "assignment-failed": {
    error: "ASSIGNMENT_FAILED",
    advice: [
      "An open session can be given to an agent of the application; without agentId, one has to be online with room.",
    ],
  },
} as const satisfies Record<string, Rule>;

/** Stable name of a rule of {@link BUSINESS_RULES}. */
export type BusinessRule = keyof typeof BUSINESS_RULES;

export const BUSINESS_RULE_NAMES = Object.keys(BUSINESS_RULES) as BusinessRule[];

/** The code and the message of a call that breaks a rule. */
export function answerOf(rule: BusinessRule): { code: string; message: string } {
  const { code, message } = new ApiError(BUSINESS_RULES[rule].error);
  return { code, message };
}

/** The rules that an answer can stand for; mostly one. */
export function rulesAnswered(code: string, message: string): BusinessRule[] {
  return BUSINESS_RULE_NAMES.filter((rule) => {
    const answer = answerOf(rule);
    return answer.code === code && answer.message === message;
  });
}
