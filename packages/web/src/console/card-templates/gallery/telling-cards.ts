import { button, card, columns, linkButton, markdown, type Pick, plain, row } from "./parts.ts";

/** Something is broken: what, since when, what to do. */
export function alertCard(pick: Pick): object {
  return card(
    "red",
    pick("Payments are failing", "支付服务异常"),
    pick("Critical · production", "严重 · 生产环境"),
    markdown(
      pick(
        "**12.4%** of payments have failed in the last five minutes. The limit is 1%.",
        "近 5 分钟支付失败率达 **12.4%**，超过 1% 的告警阈值。",
      ),
    ),
    columns(
      pick("**Service**\npayment-gateway", "**服务**\npayment-gateway"),
      pick("**Since**\n14:32", "**开始时间**\n14:32"),
      pick("**On call**\nAlice", "**值班人**\n小李"),
    ),
    { tag: "hr" },
    row(
      button(pick("I take it", "我来处理"), "acknowledge", "primary"),
      button(pick("Mute for an hour", "静默 1 小时"), "mute"),
      linkButton(pick("Open dashboard", "查看监控"), "https://example.com/dashboards/payments"),
    ),
  );
}

/** A week in numbers: a table and a chart. */
export function reportCard(pick: Pick): object {
  return card(
    "blue",
    pick("Weekly report", "研发周报"),
    pick("Week 47", "第 47 周"),
    columns(
      [
        markdown(pick("**Delivered**\n## 38", "**已交付**\n## 38")),
        markdown(pick("6 more than last week", "环比增加 6 项")),
      ],
      [
        markdown(pick("**Defects**\n## 4", "**缺陷**\n## 4")),
        markdown(pick("3 fewer than last week", "环比减少 3 个")),
      ],
    ),
    {
      tag: "table",
      rows: [
        [pick("Team", "团队"), pick("Done", "完成"), pick("Open", "待办")],
        [pick("Messenger", "消息"), "14", "5"],
        [pick("Platform", "开放平台"), "16", "3"],
        [pick("Customer service", "客服"), "8", "7"],
      ],
    },
    {
      tag: "chart",
      title: plain(pick("Goals reached, in percent", "目标完成率（%）")),
      data: [
        { label: pick("Messenger", "消息"), value: 74 },
        { label: pick("Platform", "开放平台"), value: 84 },
        { label: pick("Customer service", "客服"), value: 53 },
      ],
    },
    linkButton(pick("Read the report", "查看完整周报"), "https://example.com/reports/47"),
  );
}

/** What a new version brings, in columns. */
export function releaseCard(pick: Pick): object {
  return card(
    "indigo",
    pick("Version 3.2 is out", "3.2 版本已发布"),
    "",
    columns(
      pick(
        "**New**\n- Search across conversations\n- Cards with charts\n- Dark look",
        "**新增**\n- 跨会话搜索\n- 图表卡片\n- 深色外观",
      ),
      pick(
        "**Better**\n- Opens twice as fast\n- Large files upload in parts\n- Clearer error messages",
        "**优化**\n- 启动速度提升一倍\n- 大文件分片上传\n- 错误提示更清晰",
      ),
    ),
    {
      tag: "collapsible_panel",
      title: plain(pick("Known issues", "已知问题")),
      elements: [
        markdown(
          pick("Links in tables cannot be opened yet; 3.2.1 mends that.", "表格中的链接暂不可点击，3.2.1 将修复。"),
        ),
      ],
    },
    { tag: "note", content: pick("Rolled out to everyone by Friday", "周五前完成全员更新") },
    linkButton(pick("All changes", "查看更新日志"), "https://example.com/changes"),
  );
}
