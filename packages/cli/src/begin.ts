/** Runs a command line in this process, and sets its exit code. */
export async function begin(run: (args: string[]) => Promise<number>): Promise<void> {
  // When the reading end closes early, as `head` does, that is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
  });
  const exitCode = await run(process.argv.slice(2));
  // 0 is not set: `serve` returns while the service runs, and the service sets its own exit code.
  if (exitCode !== 0) process.exitCode = exitCode;
}
