import type { FastifyReply, FastifyRequest } from "fastify";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Portico</title>
<h1>The pages have not been built</h1>
<p>The service runs, and its APIs answer. To have its pages, run <code>npm run build</code> where it was installed,
then start it again.</p>
</html>
`;

/** Answers in place of a page while there are none. */
export function sendNotBuilt(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.trace.code = "page";
  return reply
    .code(503)
    .headers({ "cache-control": "no-store", "content-type": "text/html; charset=utf-8" })
    .send(PAGE);
}
