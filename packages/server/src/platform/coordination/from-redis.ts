import { Unavailable } from "../errors/unavailable.ts";

/** What Redis answers. @throws Unavailable, with the reason as its cause, when it does not, or refuses. */
export async function fromRedis<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Unavailable("Redis does not answer as it should", { cause });
  }
}
