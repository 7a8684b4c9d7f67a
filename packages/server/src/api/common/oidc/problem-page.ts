import { createHash } from "node:crypto";
import { SIGN_IN_PROBLEMS, type SignInProblem } from "@portico/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { reqNoOf } from "../../../platform/http/trace.ts";

const STYLE = `:root { color-scheme: light dark; --text: #1b1f27; --quiet: #5a6270; --ground: #fff; --accent: #1d4ad0; }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaee; --quiet: #a5adba; --ground: #15171c; --accent: #8fadff; } }
body { margin: 0; background: var(--ground); color: var(--text); line-height: 1.5;
  font: 15px system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif; }
main { max-width: 440px; margin: 0 auto; padding: 96px 24px; }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
.quiet { color: var(--quiet); font-size: 13px; }
a { color: var(--accent); }`;

/** Nothing but the page's own style is loaded or run. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const WORDS = {
  "en-US": { title: "Not signed in", again: "To the sign-in page", number: "Request number" },
  "zh-CN": { title: "未能登录", again: "返回登录页", number: "请求编号" },
};

/** Headers of every answer to a browser that signs in with a provider: the address holds what nobody else should get. */
export const SIGN_IN_HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * Tells a person why a sign-in ended, in the language that the browser prefers.
 *
 * @param home the page to sign in at.
 */
export function sendSignInProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: SignInProblem,
  home: string,
): FastifyReply {
  const { status, message, english, todo } = SIGN_IN_PROBLEMS[problem];
  const languages = new Negotiator(request.raw).languages(["en-US", "zh-CN", "en", "zh"]);
  const language = languages[0]?.startsWith("zh") ? "zh-CN" : "en-US";
  const words = WORDS[language];
  const page = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title} · Portico</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${language === "zh-CN" ? message : english}</h1>
<p>${todo[language]}</p>
<p><a href="${home}">${words.again}</a></p>
<p class="quiet">${words.number} <code>${reqNoOf(request)}</code></p>
</main>
</body>
</html>
`;
  request.trace.code = String(status);
  if (status === 429 || status >= 500) reply.header("retry-after", "5");
  return reply
    .removeHeader("set-cookie")
    .removeHeader("location")
    .code(status)
    .headers({
      ...SIGN_IN_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      vary: "Accept-Language",
    })
    .send(page);
}
