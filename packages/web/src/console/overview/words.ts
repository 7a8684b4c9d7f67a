import { defineWords } from "../../shared/words/words.ts";

/** Where an application stands. */
export const OVERVIEW = defineWords("overview", {
  "en-US": {
    quota: "Quota",
    quotaLead: "How much the application may call. A call beyond it is refused with 429; ask your operator for more.",
    perMinute: "Calls a minute",
    perDay: "Calls a day",
    concurrent: "Calls at a time",
    ownLimit: "set for this application",
    usedToday: "{{used}} of {{limit}} used today (UTC)",
  },
  "zh-CN": {
    quota: "调用配额",
    quotaLead: "应用可调用接口的上限，超出后返回 429；如需调整请联系运营人员。",
    perMinute: "每分钟调用",
    perDay: "每日调用",
    concurrent: "并发调用",
    ownLimit: "单独设置",
    usedToday: "今日（UTC）已用 {{used}} / {{limit}}",
  },
});
