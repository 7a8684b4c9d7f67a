import type { BusinessRule, FormProblem } from "@portico/protocol";
import type { CardRule } from "@portico/protocol/cards";

/** What to do about each rule that a well-formed call breaks, the most likely first. */
export const RULE_ADVICE: Readonly<Record<BusinessRule, readonly string[]>> = {
  "bot-not-installed": [
    "请先把机器人安装到该会话：群聊由群成员在消息端安装，单个成员也可在控制台安装。",
    "已安装的会话可通过 GET /api/open/v2/bot/installations 查询。",
    "receiveId 即安装记录的 targetId；GROUP 对应 group_id，USER 对应 user_id。",
  ],
  "file-unusable": ["请重新上传文件并使用新的 fileKey：有效期十分钟，且只能由上传它的应用使用。"],
  "message-not-delivered": ["只能回复推送给本应用的消息：编号取自事件中的 message.messageId。"],
  "message-not-sent": ["应用只能更新和撤回自己发送的卡片：请使用发送时返回的 messageId。"],
  "reply-target": [
    "回复必须发往原消息所在的会话：receiveIdType 与 receiveId 取自事件中的 message.receiveIdType 与 message.chatId。",
  ],
  "not-a-card": ["该消息不是卡片：只有以 msgType card 发送的消息可以更新或撤回。"],
  "template-unknown": ["应用没有此 cardId 的卡片模板，请与控制台核对。"],
  "not-a-picture": ["上传图片时，请在该分片的 Content-Type 中写明图片类型，例如 image/png。"],
  "card-version": [
    "卡片的当前版本与请求中的版本不同：请先查看最新卡片，再以当前版本更新；不填 version 则直接覆盖。",
    "刚发送的卡片版本为 1（或其模板的版本），每次更新加 1。",
  ],
  "login-code": ["请让小程序重新获取登录码：每个登录码两分钟内有效，只能由对应的小程序使用一次。"],
  "other-application": ["请求体中的 appId 必须是签名的应用：请改正，或不填。"],
  "visitor-unknown": ["应用没有此 visitorId 的访客：请先调用 POST visitor/auth，响应中有访客编号。"],
  "visitor-disabled": ["该访客已被应用负责人禁用，可在控制台重新启用。"],
  "session-unknown": ["sessionId 必须是本应用的会话；不填时消息会进入访客当前的会话。"],
  "session-not-closed": ["应用没有此 sessionId 的会话：访客当前的会话见 GET visitor/info 的 currentSessionId。"],
  "agent-unknown": ["agentId 是坐席的账号：请由应用负责人在控制台把该成员添加为坐席。"],
  "assignment-failed": ["进行中的会话才能分配给本应用的坐席；不填 agentId 时，需要有在线且未满额的坐席。"],
};

/** What the facts of a broken rule add, by their `problem`. */
export const FACT_ADVICE: Readonly<Record<string, string>> = {
  expired: "它曾经有效，现已过期。",
  "no-such-file": "应用没有此文件：fileKey 可能写错、属于其他应用，或早已过期。",
  "no-such-code": "没有此登录码：可能写错，或已被使用。",
  "other-application": "该登录码属于另一个应用。",
  "member-disabled": "登录码所属的成员已无法登录。",
  "session-unknown": "应用没有此 sessionId 的会话。",
  "session-closed": "会话已关闭且不会再打开：访客的下一条消息会开启新会话。",
  "session-changed": "调用期间会话发生了变化；多个调用同时分配时只有一个成功，请重新查询。",
  "agent-unknown": "agentId 不是本应用的坐席：请由应用负责人在控制台添加。",
  "nobody-free": "没有在线且未满额的坐席：请用 agentId 指定，或让会话继续排队。",
};

/** What to do about an upload whose form is not valid. */
export const FORM_ADVICE: Readonly<Record<FormProblem, string>> = {
  boundary: "请在请求头中写明分隔符：Content-Type: multipart/form-data; boundary=…，与请求体中的一致。",
  "cut-off": "请求体末尾缺少结束分隔符：两个连字符、分隔符、两个连字符、CRLF。",
  "line-breaks": "除文件内容外，表单中的每个换行都必须是 CRLF。",
  "part-head": '无法读取分片头：应为 Content-Disposition: form-data; name="file"; filename=…，下一行为 Content-Type。',
  "part-count": "请只发送文件本身，其他分片会被忽略。",
  "other-parts": "请只发送文件本身：其他分片内容过多，且会被忽略。",
  encoding: "请按原始字节发送文件，不要使用 Content-Transfer-Encoding。",
  "no-file": '没有 name="file" 且带 filename 的分片：不带 filename 的字段不算文件。',
  "several-files": "一次上传只能有一个文件，请分多次调用。",
  "file-size": "文件最大 20 MiB：请发送更小的文件，或改为发送链接。",
};

/** What to do about a card that breaks a rule. */
export const CARD_ADVICE: Readonly<Record<CardRule, string>> = {
  schema: '请写明 "schema": "2.0"。',
  body: '请添加 "body": {"elements": [...]}。',
  "body-elements": "body.elements 是组件列表，没有组件时写 []。",
  "component-object": "组件是带有 tag 的对象，文本请写成 markdown 组件。",
  "component-tag": "请改用支持的组件；在卡片模板中编辑可自动补全。",
  "component-count": "请拆成多条消息，或合并文本。",
  link: "请填写以 https:// 开头的完整地址，没有地址时去掉该字段。",
  "child-array": "请改为组件数组，或去掉该字段。",
  depth: "请减少嵌套，把这些组件移到外层。",
  size: "请精简文本，或拆成多条消息。",
  "image-key": "请在 img_key 中填写已上传文件的 fileKey，或在 img_url 中填写图片地址。",
};
