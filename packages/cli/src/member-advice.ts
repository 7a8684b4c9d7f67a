/** Advice for refusals of members' calls, by code. */
export const MEMBER_ADVICE: Readonly<Record<string, string>> = {
  "400001": "Check tenant, username and password.",
  "400008": "Check the ids, and that the member belongs to the conversation; `portico read` shows it if so.",
};
