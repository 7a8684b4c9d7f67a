import { defineWords } from "../../shared/words/words.ts";

/** Who serves an application's visitors. */
export const AGENTS = defineWords("agents", {
  "en-US": {
    lead: "Members of your organisation who answer the application’s visitors, at their desk in the browser.",
    notService: "Only customer service has agents",
    name: "Name",
    account: "Account",
    maxSessions: "Conversations at a time",
    maxSessionsOf: "Conversations at a time for {{name}}",
    none: "Nobody answers yet",
    noneHint: "Until there is an agent, visitors wait in the queue. Choose a member below.",
    addTitle: "Another agent",
    addLead: "The member finds the visitors at /desk/ and says there when they are online.",
    add: "Add",
    remove: "Remove",
    removeTitle: "Remove {{name}}?",
    removeWhat: "They no longer serve the visitors of this application. Conversations they have go back to the queue.",
  },
  "zh-CN": {
    lead: "由组织内成员担任，在网页工作台接待访客。",
    notService: "仅客服应用有坐席",
    name: "姓名",
    account: "账号",
    maxSessions: "同时接待上限",
    maxSessionsOf: "{{name}} 的同时接待上限",
    none: "还没有坐席",
    noneHint: "没有坐席时，访客会一直排队。请在下方选择成员。",
    addTitle: "添加坐席",
    addLead: "成员登录 /desk/ 工作台并切换为在线后即可接待访客。",
    add: "添加",
    remove: "移除",
    removeTitle: "移除坐席“{{name}}”？",
    removeWhat: "移除后不再接待该应用的访客，进行中的会话将重新排队。",
  },
});
