import { defineWords } from "../words/words.ts";

/** The entry of a member's own account in the menu of messenger and desk. */
export const ACCOUNT = defineWords("account", {
  "en-US": { security: "Security" },
  "zh-CN": { security: "账号安全" },
});
