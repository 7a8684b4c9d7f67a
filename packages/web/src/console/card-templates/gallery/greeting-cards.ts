import { button, card, columns, linkButton, markdown, type Pick, plain, row } from "./parts.ts";

/** What a bot says when it comes into a conversation; the title follows the reader's language. */
export function welcomeCard(pick: Pick): object {
  return {
    schema: "2.0",
    config: {
      locales: ["zh_cn", "en_us"],
      summary: { content: pick("Hello, I am your assistant", "你好，我是你的助手") },
    },
    header: {
      title: {
        content: pick("Hello, I am your assistant", "你好，我是你的助手"),
        i18n: { zh_cn: "你好，我是你的助手", en_us: "Hello, I am your assistant" },
      },
      template: "wathet",
      text_tag_list: [{ tag: "text_tag", text: plain(pick("Bot", "机器人")), color: "blue" }],
    },
    body: {
      elements: [
        markdown(
          pick(
            "Mention me, and I\n1. find documents by what they say,\n2. book rooms,\n3. remind the group of what was agreed.",
            "在群里 @我，我可以：\n1. 按内容查找文档\n2. 预订会议室\n3. 提醒大家待办事项",
          ),
        ),
        row(
          button(pick("Find a document", "查找文档"), "find", "primary"),
          button(pick("Book a room", "预订会议室"), "book"),
          linkButton(pick("Help", "使用帮助"), "https://example.com/help"),
        ),
      ],
    },
  };
}

/** What is to be done on the first day. */
export function onboardingCard(pick: Pick): object {
  const step = (name: string, label: string, checked = false) => ({
    tag: "checkbox",
    name,
    label,
    ...(checked && { checked }),
  });
  return card(
    "green",
    pick("Welcome to the team, Dana", "欢迎加入，小丁"),
    pick("Your first day", "入职第一天"),
    columns(
      [
        markdown(pick("**To do today**", "**今日待办**")),
        step("account", pick("Sign in for the first time", "首次登录"), true),
        step("badge", pick("Fetch your badge at the desk", "到前台领取工牌")),
        step("safety", pick("Watch the safety video", "观看安全培训视频")),
      ],
      [
        markdown(pick("**Your people**", "**你的伙伴**")),
        { tag: "person_list", persons: [{ name: pick("Alice", "小李") }, { name: pick("Carol", "小陈") }] },
        markdown(pick("Lunch with the team at 12:00", "12:00 与团队共进午餐")),
      ],
    ),
    { tag: "hr" },
    linkButton(pick("Open the handbook", "打开员工手册"), "https://example.com/handbook"),
  );
}
