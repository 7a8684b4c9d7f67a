import { ApiRefusedError, type BotApi, TransportError, type UploadedFile, type UploadOptions } from "@portico/sdk";
import { UsageError } from "./command.ts";
import { codeOf } from "./input.ts";

/** Uploads a file given on the command line. */
export async function uploadInput(bot: BotApi, file: string, options?: UploadOptions): Promise<UploadedFile> {
  try {
    return await bot.uploadFile(file, options);
  } catch (error) {
    if (error instanceof ApiRefusedError || error instanceof TransportError) throw error;
    if (error instanceof RangeError || error instanceof TypeError) throw new UsageError(`${file}: ${error.message}`);
    throw new UsageError(`cannot read ${file}: ${codeOf(error)}`);
  }
}
