import { Unavailable } from "../errors/unavailable.ts";

/**
 * The answer of Redis.
 *
 * @throws Unavailable, with the error as its cause, when Redis does not answer or refuses the command.
 */
export async function fromRedis<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Unavailable("Redis does not answer as it should", { cause });
  }
}
