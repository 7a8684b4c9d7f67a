import { memberText } from "@portico/protocol/json-member";
import type { ConsoleApi } from "./console-api.ts";

/** A template's card as it was saved: indented, with its numbers as they were written. */
export async function templateCard(api: ConsoleApi, appId: string, cardId: string) {
  const template = await api.console.getTemplate({ params: { appId, cardId } });
  return { ...template, text: indented(memberText(api.textOf(template), "card") ?? "null") };
}

/**
 * JSON text, indented. It is not parsed, because a number may have more digits than a number here can keep: what stands
 * outside strings is laid out anew, and nothing else changes.
 */
export function indented(json: string): string {
  let depth = 0;
  const line = (step: number) => {
    depth += step;
    return `\n${"  ".repeat(depth)}`;
  };
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let text = "";
  for (const [index, token] of tokens.entries()) {
    const isEmpty = tokens[index + 1] === (token === "{" ? "}" : "]");
    const wasEmpty = tokens[index - 1] === (token === "}" ? "{" : "[");
    if (token === "{" || token === "[") text += isEmpty ? token : token + line(1);
    else if (token === "}" || token === "]") text += wasEmpty ? token : line(-1) + token;
    else text += token === "," ? token + line(0) : token === ":" ? ": " : token;
  }
  return `${text}\n`;
}
