/** The least that Argon2 takes, for services under test. */
export const CHEAP_HASHES = { memoryKib: 8, passes: 1 };
