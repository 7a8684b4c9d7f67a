import type { Command, OptionValues } from "@commander-js/extra-typings";
import type { BotApi, MentionTarget, OutgoingMessage } from "@portico/sdk";
import { readCard } from "./card-input.ts";
import { UsageError } from "./command.ts";
import { type ImageSize, imageSizeOf } from "./image-size.ts";
import { inputName, readInput, readText, STANDARD_INPUT } from "./input.ts";
import { readJson } from "./json-input.ts";
import { uploadInput } from "./upload-input.ts";

/** The content options of the command line besides the text. */
interface ContentOptions {
  card?: string | undefined;
  template?: string | undefined;
  image?: string | undefined;
  size?: ImageSize | undefined;
  file?: string | undefined;
  post?: string | undefined;
}

/** Declares {@link ContentOptions} and the text argument. */
export function withContent<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .argument("[TEXT]")
    .optionsGroup("WHAT is sent, TEXT (- is standard input, without its last line feed) or one of:")
    .option("--card <FILE>", "a card, checked before it is sent; - is standard input")
    .option("--template <CARD_ID>", "a card made from one of the app's templates")
    .option("--image <FILE>", "a picture, uploaded first")
    .option("--size <WxH>", "its size in pixels, where the file is not a PNG, JPEG, GIF or WebP", parseSize)
    .option("--file <FILE>", "a file, uploaded first")
    .option("--post <FILE>", "rich text: a JSON object that the messenger understands; - is standard input");
}

const KINDS = ["text", "card", "template", "image", "file", "post"] as const;

/** Something to send, as given on the command line. */
export interface Draft {
  kind: (typeof KINDS)[number];
  /** The text, the file or the template id. */
  argument: string;
  size: ImageSize | undefined;
}

/**
 * What the command line says to send.
 *
 * @throws UsageError unless it is exactly one thing.
 */
export function draftOf(text: string | undefined, { size, ...options }: ContentOptions): Draft {
  const given = { ...options, text };
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

/** Reads, checks and uploads what a draft needs. */
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
