import { withDurations } from "@portico/protocol";
import { ERRORS, englishOf } from "@portico/protocol/errors";
import type { Locale } from "../../shared/look/preferences.ts";

/** The internal codes that stand before some reasons; callers never see them. */
const INTERNAL_CODE = /^4000\d\d /;

/** Reasons that the service says in English alone. */
const REASONS_ZH: readonly (readonly [reason: RegExp, said: string])[] = [
  [/^the signature does not match/, "签名不匹配"],
  [/^malformed percent sequence/, "查询串中有无效的百分号编码"],
  [/^unknown application/, "应用不存在"],
  [/^the application is (\w+)/, "应用状态为 $1"],
  [/^the nonce is longer/, "随机串过长"],
  [/^the nonce has been used/, "随机串已被使用"],
  [/^the timestamp is not a whole number/, "时间戳不是毫秒整数"],
  [/^the timestamp is \d+ ms ahead/, "时间戳比服务端快，超出允许范围"],
  [/^the timestamp is \d+ ms behind/, "时间戳比服务端慢，超出允许范围"],
  [/^the application has no such credential/, "应用没有此凭证"],
  [/^the credential was rotated/, "凭证已轮换，且宽限期已过"],
  [/^the scope (\S+) is not granted/, "未获得权限 $1"],
  [/^quota exceeded: minute/, "每分钟配额已用尽"],
  [/^quota exceeded: day/, "当日配额已用尽"],
  [/^quota exceeded: concurrent/, "并发配额已用尽"],
  [/^quota exceeded: bytes/, "存储配额已用尽"],
  [/^Accept is (.*)/, "Accept 为 $1"],
  [/^Content-Length (\d+) is over (\d+)/, "请求体 $1 字节，超过上限 $2"],
  [/^the body is over (\d+) bytes/, "请求体超过 $1 字节"],
  [/^the body did not arrive/, "请求体未在规定时间内到达"],
  [/^less than \d+ bytes of the body/, "上传速度过慢"],
  [/^the bodies of other calls/, "服务暂时没有空间接收请求体"],
  [/^the disk has no room/, "服务磁盘空间不足"],
  [/^the answer broke off/, "响应中途中断"],
  [/^the bot has never been installed/, "机器人从未安装在此会话"],
  [/^the bot's installation to this \w+ is (\w+)/, "机器人在此会话的安装状态为 $1"],
  [/^the card has version (\S+), not (\S+)/, "卡片版本为 $1，不是 $2"],
  [/^card rule (\S+) at (.*)/, "卡片不符合规则 $1，位置 $2"],
  [/^no file that the caller may send/, "没有可用的此 fileKey"],
  [/^the fileKey expired/, "fileKey 已过期"],
  [/^the login code is unknown/, "登录码不存在或已使用"],
  [/^the login code was made for another/, "登录码属于另一个应用"],
  [/^the login code expired/, "登录码已过期"],
  [/^the login code is of a member/, "登录码所属成员已无法登录"],
];

/** The service's reason for a refusal as a line of the log, in the person's language and without the internal code. */
export function reasonInWords(reason: string, code: string, locale: Locale): string {
  const told = reason.replace(INTERNAL_CODE, "");
  if (locale !== "zh-CN") return withDurations(englishOf({ message: told, code }) ?? told);
  if (/\p{Script=Han}/u.test(told)) return told;
  for (const [known, said] of REASONS_ZH) {
    const found = known.exec(told);
    if (found !== null) return said.replaceAll(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? "");
  }
  return Object.values(ERRORS).find((row) => row.code === code)?.message ?? told;
}
