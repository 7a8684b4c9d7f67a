import { button, card, columns, linkButton, markdown, type Pick, plain, row } from "./parts.ts";

/** Somebody has to decide. */
export function approvalCard(pick: Pick): object {
  return card(
    "orange",
    pick("Leave request", "请假审批"),
    pick("Waits for you", "待你审批"),
    columns(
      pick("**Who**\nBob, Design", "**申请人**\n小王（设计部）"),
      pick("**When**\n2 to 5 December", "**时间**\n12 月 2 日至 5 日"),
      pick("**Days**\n4", "**天数**\n4 天"),
    ),
    markdown(pick("> Moving house. Carol takes over the open tickets.", "> 搬家，期间工作由小陈负责。")),
    {
      tag: "input",
      name: "comment",
      label: plain(pick("Comment", "审批意见")),
      placeholder: plain(pick("Optional", "选填")),
    },
    row(
      button(pick("Approve", "同意"), "approve", "primary"),
      button(pick("Reject", "驳回"), "reject", "danger"),
      linkButton(pick("Details", "查看详情"), "https://example.com/leave/204"),
    ),
  );
}

/** Several answers at once. */
export function formCard(pick: Pick): object {
  const options = [
    { text: plain(pick("Notebook", "笔记本电脑")), value: "notebook" },
    { text: plain(pick("Screen", "显示器")), value: "screen" },
    { text: plain(pick("Phone", "手机")), value: "phone" },
  ];
  const elements = [
    {
      tag: "select_static",
      name: "device",
      label: plain(pick("Device", "设备")),
      placeholder: plain(pick("Choose", "请选择")),
      options,
    },
    { tag: "date_picker", name: "needed_by", label: plain(pick("Needed by", "期望到货日期")) },
    { tag: "textarea", name: "reason", label: plain(pick("What for", "用途说明")), max_length: 500 },
    { tag: "checkbox", name: "remote", label: pick("Send it to my home", "邮寄到家") },
    button(pick("Request it", "提交申请"), "request", "primary"),
  ];
  return card(
    "turquoise",
    pick("Request equipment", "设备申领"),
    "",
    markdown(pick("Most devices are there within three days.", "大多数设备三个工作日内送达。")),
    { tag: "form", name: "equipment", elements },
  );
}

/** One of several answers; the bot shows the result by updating the card. */
export function pollCard(pick: Pick): object {
  const choice = (value: string, label: string) => ({ tag: "radio", name: "place", value, label });
  return card(
    "violet",
    pick("Where do we have dinner?", "团建去哪儿？"),
    pick("Ends on Thursday at 18:00", "周四 18:00 截止"),
    choice("hotpot", pick("Hotpot at the river", "江边火锅")),
    choice("noodles", pick("Noodles around the corner", "楼下面馆")),
    choice("barbecue", pick("Barbecue on the roof", "天台烧烤")),
    {
      tag: "chart",
      title: plain(pick("Votes so far, in percent", "当前得票（%）")),
      data: [
        { label: pick("Hotpot", "火锅"), value: 50 },
        { label: pick("Noodles", "面馆"), value: 20 },
        { label: pick("Barbecue", "烧烤"), value: 30 },
      ],
    },
    { tag: "note", content: pick("10 of 16 have voted", "已有 10/16 人投票") },
  );
}
