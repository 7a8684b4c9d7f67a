/** The renderer's own words, in the languages of the product. */
export interface Words {
  more(count: number, of: "entries" | "rows" | "columns"): string;
  showAll: string;
  malformed: string;
  tooDeep: string;
  nothing: string;
  noOptions: string;
  choose: string;
  chosen(count: number): string;
  moreActions: string;
  input: string;
  date: string;
  time: string;
  dateTime: string;
  button: string;
  person: string;
  picture: string;
  pictureFailed: string;
  table: string;
  chart: string;
  card: string;
  open(host: string): string;
  newTab: string;
  sending: string;
  sent: string;
  failed: string;
  retry: string;
}

const ENGLISH: Words = {
  more: (count, of) => `and ${count} more${of === "entries" ? "" : ` ${count === 1 ? of.slice(0, -1) : of}`}`,
  showAll: "Show all",
  malformed: "This part of the card cannot be shown",
  tooDeep: "What is inside here is nested too deep to be shown",
  nothing: "Nothing to show",
  noOptions: "Nothing to choose from",
  choose: "Choose",
  chosen: (count) => `${count} chosen`,
  moreActions: "More actions",
  input: "Text",
  date: "Date",
  time: "Time",
  dateTime: "Date and time",
  button: "Button",
  person: "Someone",
  picture: "Picture",
  pictureFailed: "The picture could not be loaded",
  table: "Table",
  chart: "Chart",
  card: "Card",
  open: (host) => `Open ${host}`,
  newTab: "opens in a new tab",
  sending: "Sending",
  sent: "Sent",
  failed: "Not sent",
  retry: "Try again",
};

const CHINESE: Words = {
  more: (count, of) => `还有 ${count} ${{ entries: "项", rows: "行", columns: "列" }[of]}`,
  showAll: "展开全部",
  malformed: "卡片的这一部分无法显示",
  tooDeep: "嵌套层级过深，无法显示其中的内容",
  nothing: "暂无内容",
  noOptions: "没有可选项",
  choose: "请选择",
  chosen: (count) => `已选 ${count} 项`,
  moreActions: "更多操作",
  input: "文本",
  date: "日期",
  time: "时间",
  dateTime: "日期和时间",
  button: "按钮",
  person: "某人",
  picture: "图片",
  pictureFailed: "图片加载失败",
  table: "表格",
  chart: "图表",
  card: "卡片",
  open: (host) => `打开 ${host}`,
  newTab: "在新标签页中打开",
  sending: "正在发送",
  sent: "已发送",
  failed: "未发送成功",
  retry: "重试",
};

/** The words for a locale: Chinese for all that begin with `zh`, else English. */
export function wordsFor(locale: string): Words {
  return /^zh\b/i.test(locale.replaceAll("_", "-")) ? CHINESE : ENGLISH;
}
