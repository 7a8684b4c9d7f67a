import type { BotApi, MentionTarget, OutgoingMessage } from "@portico/sdk";
import { readCard } from "./card-input.ts";
import { onlyArgument, UsageError } from "./command.ts";
import { type ImageSize, imageSizeOf } from "./image-size.ts";
import { inputName, readInput, readText, STANDARD_INPUT } from "./input.ts";
import { readJson } from "./json-input.ts";
import { uploadInput } from "./upload-input.ts";

/** Options that say what to send, for `parseArgs`. */
export const CONTENT_OPTIONS = {
  card: { type: "string" },
  template: { type: "string" },
  image: { type: "string" },
  size: { type: "string" },
  file: { type: "string" },
  post: { type: "string" },
} as const;

export const CONTENT_HELP = `WHAT is sent, one of:
  TEXT                     a text; - is read from standard input, without its last line feed
  --card FILE              a card, checked before it is sent
  --template CARD_ID       a card made from one of the app's templates
  --image FILE             a picture, uploaded first
      --size WxH           its size in pixels, where the file is not a PNG, JPEG, GIF or WebP
  --file FILE              a file, uploaded first
  --post FILE              rich text: a JSON object that the messenger understands
For --card and --post, - is standard input.`;

type Values = { [Name in keyof typeof CONTENT_OPTIONS]?: string | undefined };

const KINDS = ["text", "card", "template", "image", "file", "post"] as const;

/** Something to send, as the command line names it. */
export interface Draft {
  kind: (typeof KINDS)[number];
  /** The text, the file or the id. */
  argument: string;
  size: ImageSize | undefined;
}

/**
 * What the command line says is to be sent.
 *
 * @throws UsageError unless that is exactly one thing.
 */
export function draftOf(values: Values, positionals: string[]): Draft {
  const text = positionals.length === 0 ? undefined : onlyArgument(positionals, "TEXT", "; put quotes around the text");
  const given = { ...values, text };
  const size = values.size === undefined ? undefined : parseSize(values.size);
  const drafts = KINDS.flatMap((kind) => {
    const argument = given[kind];
    return argument === undefined ? [] : [{ kind, argument, size }];
  });
  const [draft, ...more] = drafts;
  if (draft === undefined || more.length > 0) {
    const fault = draft === undefined ? "nothing to send" : "more than one thing to send";
    throw new UsageError(`${fault}: give one of TEXT, --card, --template, --image, --file and --post`);
  }
  if (size !== undefined && draft.kind !== "image") throw new UsageError("--size goes with --image");
  return draft;
}

/** Reads, checks and uploads what it takes to send a draft. */
export async function messageOf(
  bot: BotApi,
  { kind, argument, size }: Draft,
  mentions: MentionTarget[] | undefined,
): Promise<OutgoingMessage> {
  switch (kind) {
    case "text":
      return { msgType: "text", content: { text: await textOf(argument), mentions } };
    case "card":
      return { msgType: "card", content: { card: await readCard(argument), mentions } };
    case "template":
      return { msgType: "card", content: { cardId: argument, mentions } };
    case "image": {
      const pixels = size ?? (await sizeOf(argument));
      const { fileKey } = await uploadInput(bot, argument);
      return { msgType: "image", content: { fileKey, ...pixels, mentions } };
    }
    case "file": {
      const { fileKey } = await uploadInput(bot, argument);
      return { msgType: "file", content: { fileKey, mentions } };
    }
    case "post": {
      const post = await postOf(argument);
      return { msgType: "post", content: mentions === undefined ? post : { ...post, mentions } };
    }
  }
}

async function textOf(argument: string): Promise<string> {
  return argument === STANDARD_INPUT ? (await readText(argument)).replace(/\r?\n$/, "") : argument;
}

async function postOf(file: string): Promise<Record<string, unknown>> {
  const post = await readJson(file);
  if (typeof post === "object" && post !== null && !Array.isArray(post)) return { ...post };
  throw new UsageError(`${inputName(file)} is not a JSON object`);
}

async function sizeOf(file: string): Promise<ImageSize> {
  const size = imageSizeOf(await readInput(file));
  if (size !== null) return size;
  throw new UsageError(`${file} does not tell its size as a PNG, JPEG, GIF or WebP does; give it with --size WxH`);
}

function parseSize(text: string): ImageSize {
  const [, width, height] = /^(\d{1,7})x(\d{1,7})$/.exec(text) ?? [];
  if (width === undefined || height === undefined) throw new UsageError("--size must be such as 640x480");
  return { width: Number(width), height: Number(height) };
}
