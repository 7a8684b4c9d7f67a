import { writeFile } from "node:fs/promises";
import { compactJson, findCardProblems } from "@portico/protocol/cards";
import {
  isLocale,
  PREVIEW_LIMITS,
  PREVIEW_PATH,
  PREVIEW_THEMES,
  previewFragment,
} from "@portico/protocol/cards/preview-link";
import { HAS_SANDBOX } from "../browser/headless-browser.ts";
import { openLink } from "../browser/open-link.ts";
import { findingLine } from "../card-input.ts";
import { takePicture } from "../card-picture.ts";
import { type Command, FailureError, UsageError } from "../command.ts";
import { serviceAddress } from "../developer-settings.ts";
import { imageSizeOf } from "../image-size.ts";
import { codeOf, inputName, STANDARD_INPUT } from "../input.ts";
import { faultLine, tryReadJson } from "../json-input.ts";
import { wordOption } from "../option-kinds.ts";
import { BASE_URL_OPTION } from "../stored-settings.ts";
import { complain, print, printJson } from "../terminal.ts";

/** `portico card preview`: shows a card as members will see it. */
export const cardPreview: Command = {
  name: "card preview",
  summary: "Show a card as members will see it",
  usage: "portico card preview FILE [--open] [--png FILE] [OPTIONS]",
  notes: `FILE - is standard input. Prints a link to the page of the service that draws the card; the card stands in the link, behind
the #, and is sent to nobody. What the service would refuse is drawn as well, as far as possible; the exit code is 1 then.
--png needs a Chromium or Chrome on this machine: the one that PORTICO_BROWSER names, else one in PATH. As root it runs without its
sandbox, which the command then says.`,
  examples: [
    "portico card preview card.json --open",
    "portico card preview card.json --png card.png --locale zh-CN --theme dark",
    "portico templates pull app_1 greeting | portico card preview - --base-url https://portico.example.com",
  ],
  configure: (command) =>
    command
      .argument("<FILE>")
      .option("--open", "open the link in the browser")
      .option("--png <FILE>", "take a picture of the card alone, twice as fine as it is large, as a PNG", outputFile)
      .option("--locale <LOCALE>", "the reader's language, such as zh-CN (default: the browser's)", localeOf)
      .addOption(wordOption("--theme <THEME>", "the reader's choice of light and dark", PREVIEW_THEMES))
      .option(...BASE_URL_OPTION)
      .option(
        "--json",
        "print {url, findings: [{pointer, rule, message, suggestion}], picture: {file, width, height} or null}",
      )
      .action(async (file, { open = false, png, locale, theme, baseUrl, json = false }) => {
        const card = await readAny(file);
        const findings = findCardProblems(card);
        const fragment = await previewFragment(card, { locale, theme });
        const url = `${await serviceAddress({ baseUrl })}${PREVIEW_PATH}#${fragment}`;
        if (!json) print(url);
        const picture = png === undefined ? null : await writePicture(url, png);
        if (json) printJson({ url, findings, picture });
        else if (picture !== null) complain(`${picture.file}: ${picture.width} x ${picture.height} pixels`);
        if (open) await openLink(url);
        if (findings.length === 0) return;
        const lines = findings.map((finding) => findingLine(file, finding));
        throw new FailureError(["the card would be refused", ...lines].join("\n"));
      }),
};

/** The JSON of a file, whether or not it is a card. */
async function readAny(file: string): Promise<unknown> {
  const read = await tryReadJson(file);
  if (read.fault !== null) throw new FailureError(faultLine(file, read.fault));
  const bytes = Buffer.byteLength(compactJson(read.value));
  if (bytes <= PREVIEW_LIMITS.jsonBytes) return read.value;
  throw new FailureError(`${inputName(file)} is too large to be shown: ${bytes} bytes of ${PREVIEW_LIMITS.jsonBytes}`);
}

const NO_SANDBOX =
  "as root the browser runs without its sandbox, and pictures in the card may come from anywhere: for cards of strangers, be another user";

async function writePicture(url: string, file: string) {
  if (!HAS_SANDBOX) complain(NO_SANDBOX);
  const { png, missing, isCut } = await takePicture(url);
  const size = imageSizeOf(png);
  if (size === null) throw new FailureError("the browser has made no picture");
  if (missing > 0) complain(`pictures in the card that could not be fetched: ${missing}`);
  if (isCut) complain("the card is longer than a picture can be: its end is left out");
  try {
    await writeFile(file, png);
  } catch (error) {
    throw new FailureError(`cannot write ${file}: ${codeOf(error)}`);
  }
  return { file, ...size };
}

function outputFile(file: string): string {
  if (file === STANDARD_INPUT || file === "") throw new UsageError("--png needs the name of a file");
  return file;
}

function localeOf(text: string): string {
  if (isLocale(text)) return text;
  throw new UsageError("--locale must be a language such as zh-CN or en");
}
