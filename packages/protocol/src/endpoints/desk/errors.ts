/** Errors of every call about an application. */
export const OF_AN_APPLICATION = ["NOT_AN_AGENT", "APP_NOT_ACTIVE"] as const;
/** Errors of every call about a session. */
export const OF_A_SESSION = [...OF_AN_APPLICATION, "SESSION_NOT_FOUND"] as const;
