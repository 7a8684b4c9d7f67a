import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reasonInWords } from "./reason-in-words.ts";

describe("the reason of a refused call, in a line", () => {
  for (const [reason, code, chinese] of [
    ["400003 the signature does not match", "400001", "签名不匹配"],
    ["400004 the timestamp is 600000 ms behind the server", "400001", "时间戳比服务端慢，超出允许范围"],
    ["the scope bot.message.send is not granted", "400007", "未获得权限 bot.message.send"],
    ["the card has version 3, not 2", "500000", "卡片版本为 3，不是 2"],
    ["the bot's installation to this GROUP is UNINSTALLED", "400008", "机器人在此会话的安装状态为 UNINSTALLED"],
    ["a reason of a newer service", "400008", "无权访问该资源"],
    ["卡片消息不存在", "400006", "卡片消息不存在"],
  ] as const) {
    it(`${reason}: ${chinese}`, () => {
      assert.equal(reasonInWords(reason, code, "zh-CN"), chinese);
    });
  }

  it("is English in English, and without the internal code", () => {
    assert.equal(
      reasonInWords("400003 the signature does not match", "400001", "en-US"),
      "the signature does not match",
    );
    assert.doesNotMatch(reasonInWords("卡片消息不存在", "400006", "en-US"), /\p{Script=Han}/u);
  });
});
