import { defineWords } from "../words/words.ts";

/** What pages say where they make calls. */
export const CALLS = defineWords("calls", {
  "en-US": {
    cannotSign: "This page cannot sign calls",
    cannotSignHint:
      "It came by plain http, and browsers sign only on pages that came by https or from localhost. Open it at such an address, or copy the code on this page and run it on your machine.",
  },
  "zh-CN": {
    cannotSign: "此页面无法为请求签名",
    cannotSignHint:
      "页面通过 http 打开，而浏览器仅允许通过 https 或 localhost 打开的页面进行签名。请改用这样的地址打开，或复制本页的代码在本机运行。",
  },
});
