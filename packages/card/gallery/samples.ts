import type { NamedCard } from "./named-card.ts";

const PICTURES = [
  "https://pictures.example/sea.svg",
  "https://pictures.example/hill.svg",
  "https://pictures.example/sun.svg",
];
const COLORS = "blue wathet turquoise green yellow orange red carmine violet purple indigo grey default".split(" ");

/** Cards with every component that there is. */
export const SAMPLES: readonly NamedCard[] = [
  named("build", "orange", { title: "构建 1234 失败", subtitle: "main · 8b9c1d2" }, [
    {
      tag: "markdown",
      content:
        "**main** 在 `packages/server` 失败，1,204 个测试中有 2 个未通过。[查看日志](https://ci.example.com/1234)",
    },
    columns(
      [{ tag: "markdown", content: "<font color='grey'>提交人</font>\nAlice" }],
      [{ tag: "markdown", content: "<font color='grey'>用时</font>\n4 分 12 秒" }],
      [{ tag: "markdown", content: "<font color='grey'>环境</font>\n<text_tag color='green'>生产</text_tag>" }],
    ),
    {
      tag: "table",
      rows: [
        ["测试", "错误", "毫秒"],
        ["keeps a nonce", "timeout", 5000],
        ["sends a card", "409", 12],
      ],
    },
    { tag: "hr" },
    { tag: "button", type: "primary", text: plain("重新运行"), name: "rerun", value: { build: 1234 } },
    { tag: "button", text: plain("打开"), url: "https://ci.example.com/1234" },
    { tag: "button", type: "danger", text: plain("停止"), value: { stop: true } },
    { tag: "overflow", options: [option("静音一小时", "mute"), option("转给 Bob", "bob")], name: "more" },
    { tag: "note", content: "由 CI 机器人发送" },
  ]),
  named("markdown", "default", { title: "Markdown" }, [
    {
      tag: "markdown",
      content:
        "# One\n## Two\n### Three\nText with **bold**, *italic*, ~~struck~~, `code`, a [link](https://example.com/a) and https://example.com/b.\n\n- first\n- second\n  - inner\n\n1. one\n2. two\n\n> A quotation\n> of two lines\n\n```ts\nconst answer = await bot.send({ card });\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\nDone.",
    },
  ]),
  named(
    "controls",
    "indigo",
    { title: "请假申请", text_tag_list: [{ tag: "text_tag", text: plain("待审批"), color: "orange" }] },
    [
      { tag: "input", name: "reason", label: "事由", placeholder: plain("请输入") },
      { tag: "textarea", name: "note", label: plain("备注"), placeholder: "可选" },
      columns(
        [
          {
            tag: "select_static",
            name: "kind",
            label: "类型",
            options: [option("年假", "annual"), option("病假", "sick")],
          },
        ],
        [
          {
            tag: "select_person",
            name: "deputy",
            label: "代理人",
            options: [option("Alice", "u_alice"), option("Bob", "u_bob")],
          },
        ],
      ),
      {
        tag: "multi_select_static",
        name: "days",
        label: "半天",
        options: [option("上午", "am"), option("下午", "pm")],
      },
      { tag: "multi_select_person", name: "tell", label: "抄送", options: [option("Carol", "c"), option("Dave", "d")] },
      columns(
        [{ tag: "date_picker", name: "from", label: "开始" }],
        [{ tag: "picker_datetime", name: "to", label: "结束" }],
        [{ tag: "select_time", name: "at", label: "时间", options: [option("09:00", "9"), option("14:00", "14")] }],
      ),
      { tag: "checkbox", name: "agreed", label: "已与团队确认" },
      { tag: "radio", name: "pay", label: "带薪", value: "paid" },
      { tag: "radio", name: "pay", label: plain("不带薪"), value: "unpaid" },
      {
        tag: "action",
        elements: [
          { tag: "button", type: "primary", text: plain("同意"), value: 1 },
          { tag: "button", text: plain("拒绝"), value: 0 },
        ],
      },
    ],
  ),
  named("people-and-pictures", "green", { title: "团队相册", icon: { token: "album_outlined" } }, [
    { tag: "person_list", persons: [{ name: "Alice Chen" }, { name: "王小明" }, { user_id: "u_bob" }] },
    { tag: "person", name: "Carol", avatar_url: PICTURES[2] },
    { tag: "img", img_url: PICTURES[0], alt: "The sea" },
    { tag: "img_combination", img_list: PICTURES.map((img_url) => ({ img_url })) },
    { tag: "image", url: "https://pictures.example/missing.png" },
    { tag: "icon", token: "calendar_outlined" },
  ]),
  named("data", "violet", { title: "周报" }, [
    {
      tag: "chart",
      title: "完成度",
      data: [
        { label: "后端", value: 82 },
        { name: "前端", value: 64.5 },
        { x: "文档", y: 130 },
      ],
    },
    {
      tag: "table",
      rows: [["#", "A", "B", "C", "D", "E", "F"], ...[1, 2, 3].map((n) => [n, "x", "longer text", 3, 4, 5, "end"])],
    },
    {
      tag: "markdown",
      content:
        "| 服务 | 请求 | 错误 | p50 | p99 | 状态 |\n|---|---|---|---|---|---|\n| 发送消息 | 6,120,400 | 0.02% | 3 ms | 14 ms | 正常，无需处理 |\n| 上传 | 239,300 | 0.4% | 80 ms | 900 ms | 偏慢，正在排查存储的延迟，预计今天恢复 |\n\n998. 九百九十八\n999. 九百九十九\n1000. 一千",
    },
    { tag: "collapsible_panel", title: "说明", elements: [plain("始终展开。")] },
    { tag: "interactive_container", has_border: true, elements: [{ tag: "markdown", content: "**容器**\n不可点击" }] },
    {
      tag: "form",
      elements: [
        { tag: "text", content: "表单" },
        {
          tag: "text_tag_list",
          elements: [
            { tag: "text_tag", text: "一", color: "blue" },
            { tag: "text_tag", text: "二", color: "red" },
          ],
        },
      ],
    },
    { tag: "recycling_container", elements: [{ tag: "lark_md", content: "循环容器" }] },
    { tag: "divider" },
    { tag: "text", content: "最后一行" },
  ]),
  { name: "text-only", card: { schema: "2.0", body: { elements: [{ tag: "markdown", content: "好的，已收到。" }] } } },
  {
    name: "linked",
    card: {
      ...{ schema: "2.0", card_link: { url: "https://example.com/post" }, header: { title: plain("整张卡片可点击") } },
      body: { elements: [plain("点击任意位置打开链接，按钮除外。"), { tag: "button", text: plain("赞"), value: 1 }] },
    },
  },
  {
    name: "centred",
    card: {
      ...{
        schema: "2.0",
        config: { horizontal_align: "center" },
        header: { title: plain("整行卡片"), template: "wathet" },
      },
      body: { elements: [plain("没有气泡，占满一行。"), { tag: "chart", data: [{ label: "a", value: 40 }] }] },
    },
  },
  {
    name: "compact",
    card: {
      ...{
        schema: "2.0",
        config: { width_mode: "compact" },
        header: { title: plain("窄卡片"), template: "turquoise" },
      },
      body: {
        elements: [
          {
            tag: "table",
            rows: [
              ["键", "值"],
              ["a", "1"],
            ],
          },
        ],
      },
    },
  },
  {
    name: "malformed",
    card: {
      schema: "2.0",
      body: {
        elements: [
          7,
          { tag: "markdown" },
          { tag: "pie" },
          { tag: "table" },
          { tag: "chart" },
          { tag: "button", url: "x:y" },
          { tag: "select_static" },
        ],
      },
    },
  },
  ...COLORS.map((template) =>
    named(
      `colour-${template}`,
      template,
      {
        title: `标题 Title ${template}`,
        subtitle: "副标题 Subtitle",
        text_tag_list: COLORS.slice(0, 12).map((color) => ({ tag: "text_tag", text: color, color })),
      },
      [plain("正文")],
    ),
  ),
];

function named(name: string, template: string, header: object, elements: object[]): NamedCard {
  return { name, card: { schema: "2.0", header: { template, ...header }, body: { elements } } };
}

function plain(content: string): object {
  return { tag: "plain_text", content };
}

function option(text: string, value: string): object {
  return { text: plain(text), value };
}

function columns(...all: object[][]): object {
  return { tag: "column_set", columns: all.map((elements) => ({ tag: "column", width: "weighted", elements })) };
}
