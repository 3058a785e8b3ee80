import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { spawnGit } from "../../../git/git.ts";

/** Listens on a free port of the loopback address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

/** Somebody else's Git server: one repository, to be read with one password, whatever the path. */
export function createGitServer(gitDir: string, password: string): Server {
  return createServer((request, response) => {
    const given = Buffer.from(request.headers.authorization?.split(" ")[1] ?? "", "base64").toString();
    if (!given.endsWith(`:${password}`)) {
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
      return;
    }
    const advertises = request.method === "GET";
    const kind = advertises ? "advertisement" : "result";
    response.writeHead(200, { "content-type": `application/x-git-upload-pack-${kind}` });
    if (advertises) response.write("001e# service=git-upload-pack\n0000");
    const options = advertises ? ["--http-backend-info-refs"] : [];
    const child = spawnGit(["upload-pack", "--stateless-rpc", ...options, gitDir]);
    request.pipe(child.stdin);
    child.stdout.pipe(response);
  });
}
