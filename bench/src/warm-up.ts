/**
 * For how long a server gets its full load before anything of it is measured, in seconds. For so long and longer V8
 * compiles what it finds to be hot, on threads that share the server's core: a fifth of its processor time in the first
 * seven seconds, a twelfth after twenty.
 */
export const WARM_UP_SECONDS = 10;
