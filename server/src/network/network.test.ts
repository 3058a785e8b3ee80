import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importInto } from "../codehost/builtin/import.ts";
import { createImportNetwork } from "../codehost/builtin/probe.ts";
import { createGitServer, listen } from "../codehost/builtin/testing/git-server.ts";
import { createTestRepository, type TestRepository } from "../git/testing/repository.ts";
import { GitError, runGit } from "../git/git.ts";
import { isPrivateAddress } from "./address.ts";
import { ForbiddenAddressError } from "./checked-connector.ts";
import { createNetwork, openNetwork, type Network } from "./network.ts";
import { PROXY_PASSWORD, startTestProxy, type TestProxy } from "./testing/proxy.ts";
import { startTlsFront, TEST_AUTHORITY_FILE } from "./testing/tls.ts";

const closing: (() => Promise<unknown>)[] = [];
let directory: string;
let repository: TestRepository;
let proxy: TestProxy;
let network: Network;
/** Ports of this machine: a site and a Git server, each also behind TLS. */
const ports = { site: 0, git: 0, siteTls: 0, gitTls: 0 };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "docent-test-network-"));
  repository = await createTestRepository();
  await repository.commit("main", { "index.md": "# Start\n" });
  const site = createServer((request, response) => {
    if (request.url === "/away") response.writeHead(302, { location: "http://elsewhere.test/" }).end();
    else response.end(`site ${request.headers["proxy-authorization"] ?? "without"} proxy credentials`);
  });
  const git = createGitServer(repository.directory, "token");
  for (const [name, server] of Object.entries({ site, git }) as ["site" | "git", typeof site][]) {
    ports[name] = Number(new URL(await listen(server)).port);
    const front = await startTlsFront(ports[name]);
    ports[`${name}Tls`] = front.port;
    closing.push(front.close, async () => server.close().closeAllConnections());
  }
  proxy = await startTestProxy({
    "site.test": ports.site,
    "site.test:443": ports.siteTls,
    "git.test": ports.git,
    "git.test:443": ports.gitTls,
  });
  closing.push(proxy.close);
  const caFile = TEST_AUTHORITY_FILE;
  network = await createNetwork({ httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: null, caFile, directory });
});
afterAll(async () => {
  await network.close();
  for (const close of closing) await close();
  await repository.remove();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => void proxy.seen.splice(0));

/** As workspace and imports run it: URL, credential and the way out in the configuration of one process. */
async function lsRemote(through: Network, url: string): Promise<string> {
  const authorization = Buffer.from("any:token").toString("base64");
  const config = { ...through.git(url), [`http.${url}.extraHeader`]: `Authorization: Basic ${authorization}` };
  return (await runGit(["ls-remote", url, "refs/heads/main"], { config })).stdout.toString();
}

test("requests go through the proxy: a tunnel for https, the whole URL for http, its password for itself alone", async () => {
  for (const url of ["http://site.test/", "https://site.test/"]) {
    expect(await (await network.fetch(url)).text()).toBe("site without proxy credentials");
  }
  expect(proxy.seen).toEqual(["GET http://site.test/", "CONNECT site.test:443"]);
});

test("git goes through the same proxy and trusts the same authority", async () => {
  for (const url of ["http://git.test/docs.git", "https://git.test/docs.git"]) {
    expect(await lsRemote(network, url)).toMatch(/^[0-9a-f]{40}\trefs\/heads\/main\n$/);
  }
  expect(proxy.seen[0]).toMatch(/^GET http:\/\/git\.test\/docs\.git\/info\/refs/);
  expect(proxy.seen).toContain("CONNECT git.test:443");
});

test("an import goes through it too, and never to a cloud's metadata", async () => {
  const way = createImportNetwork(network);
  const target = await createTestRepository();
  const importFrom = (url: string) =>
    importInto(
      target.directory,
      { type: "url", url, credential: "any:token" },
      undefined,
      way,
      AbortSignal.timeout(30_000),
    );
  expect(await importFrom("https://git.test/docs.git")).toEqual({ defaultBranch: "main" });
  expect(new Set(proxy.seen)).toEqual(new Set(["CONNECT git.test:443"]));
  expect(await importFrom("https://169.254.169.254/docs.git")).toEqual({ failed: expect.stringMatching(/metadata/) });
  expect(await importFrom("https://nowhere.test/docs.git")).toEqual({
    failed: expect.stringMatching(/cannot be reached/),
  });
  await target.remove();
});

test("a redirect to a host that needs no proxy leaves it, and the other way round", async () => {
  const direct = openNetwork({ httpProxy: proxy.url, httpsProxy: null, noProxy: "elsewhere.test" });
  await expect(direct.fetch("http://site.test/away")).rejects.toMatchObject({ cause: { code: "ENOTFOUND" } });
  expect(proxy.seen).toEqual(["GET http://site.test/away"]);
  await direct.close();
});

test("exceptions hold for fetch, git and checked requests alike", async () => {
  const direct = openNetwork({ httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: ".test" });
  await expect(direct.fetch("http://site.test/")).rejects.toMatchObject({ cause: { code: "ENOTFOUND" } });
  const checked = direct.checked(() => false);
  const get = { method: "GET", headers: {}, signal: AbortSignal.timeout(30_000) } as const;
  await expect(checked(new URL("http://site.test/"), get)).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(lsRemote(direct, "http://git.test/docs.git")).rejects.toThrow(/resolve host/);
  // This machine is never behind a proxy.
  expect(await (await direct.fetch(`http://127.0.0.1:${ports.site}/`)).text()).toContain("site");
  expect(proxy.seen).toEqual([]);
  await direct.close();
});

test("the file of authorities is trusted beside the usual ones, by fetch and by git", async () => {
  const without = openNetwork({ httpProxy: null, httpsProxy: null, noProxy: null });
  const site = `https://localhost:${ports.siteTls}/`;
  const git = `https://localhost:${ports.gitTls}/docs.git`;
  await expect(without.fetch(site)).rejects.toMatchObject({ cause: { code: /CERT|VERIFY/ } });
  await expect(lsRemote(without, git)).rejects.toThrow(/certificate/);
  expect((await network.fetch(site)).status).toBe(200);
  expect(await lsRemote(network, git)).toContain("refs/heads/main");
  const bundle = await readFile(join(directory, "certificate-authorities.pem"), "utf8");
  expect(bundle).toContain((await readFile(TEST_AUTHORITY_FILE, "utf8")).trim());
  expect(bundle.split("BEGIN CERTIFICATE").length).toBeGreaterThan(100);
  await without.close();
});

test("a file that holds no authority stops the start, and says which", async () => {
  const file = join(directory, "empty.pem");
  await writeFile(file, "nothing");
  const options = { httpProxy: null, httpsProxy: null, noProxy: null, directory };
  await expect(createNetwork({ ...options, caFile: file })).rejects.toThrow(/DOCENT_CA_FILE: .*empty\.pem holds no/);
  await expect(createNetwork({ ...options, caFile: `${file}.not` })).rejects.toThrow(/DOCENT_CA_FILE: .* be read/);
});

test("no failure shows the proxy's password", async () => {
  const wrong = openNetwork({
    httpProxy: proxy.url.replace("docent:", "docent:x"),
    httpsProxy: proxy.url.replace("docent:", "docent:x"),
    noProxy: null,
  });
  const gone = `http://docent:${PROXY_PASSWORD}@127.0.0.1:1`;
  const dead = openNetwork({ httpProxy: gone, httpsProxy: gone, noProxy: null });
  for (const way of [wrong, dead, network]) {
    for (const url of ["http://nowhere.test/docs.git", "https://nowhere.test/docs.git"]) {
      const error = await lsRemote(way, url).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(GitError);
      const other = await way.fetch(url).then(
        ({ status }) => status,
        (thrown: unknown) => thrown,
      );
      expect(inspect([error, other], { depth: 10 })).not.toContain(PROXY_PASSWORD);
    }
    await (way === network ? undefined : way.close());
  }
});

test("checked requests connect to what was checked, whatever the name resolves to a moment later", async () => {
  const answers = [["93.184.215.14"], ["127.0.0.1"], ["93.184.215.14", "10.0.0.1"]];
  const asked: string[] = [];
  const way = openNetwork({
    httpProxy: null,
    httpsProxy: null,
    noProxy: null,
    resolve: async (hostname) => {
      asked.push(hostname);
      return (answers.shift() ?? ["127.0.0.1"]).map((address) => ({ address, family: 4 }));
    },
  });
  const port = ports.site;
  const signal = AbortSignal.timeout(30_000);
  const checked = way.checked(isPrivateAddress);
  const get = (url: string, by = checked) => by(new URL(url), { method: "GET", headers: {}, signal });
  // The first answer is public: it is connected to, and never the second, which is for the next connection.
  const first = new AbortController();
  const underWay = checked(new URL(`http://rebinding.test:${port}/`), {
    method: "GET",
    headers: {},
    signal: first.signal,
  });
  const refused = expect(underWay).rejects.toThrow();
  await expect.poll(() => asked.length).toBe(1);
  first.abort();
  await refused;
  await expect(get(`http://rebinding.test:${port}/`)).rejects.toBeInstanceOf(ForbiddenAddressError);
  await expect(get(`http://one-of-two.test:${port}/`)).rejects.toBeInstanceOf(ForbiddenAddressError);
  // Addresses in the URL, in every spelling, are asked of no resolver.
  for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "0", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"]) {
    await expect(get(`http://${host}:${port}/`)).rejects.toBeInstanceOf(ForbiddenAddressError);
  }
  expect(asked).toEqual(["rebinding.test", "rebinding.test", "one-of-two.test"]);
  // Where nothing is forbidden, the name leads where the resolver says; redirects are answers.
  const free = way.checked(() => false);
  expect(await get(`http://free.test:${port}/away`, free)).toMatchObject({ status: 302 });
  await way.close();
});

test("before a proxy is asked, addresses and names that resolve here are checked", async () => {
  const way = openNetwork({
    httpProxy: proxy.url,
    httpsProxy: proxy.url,
    noProxy: null,
    resolve: async (hostname) => {
      if (hostname === "inside.test") return [{ address: "10.0.0.7", family: 4 }];
      throw Object.assign(new Error("unknown here"), { code: "ENOTFOUND" });
    },
  });
  const checked = way.checked(isPrivateAddress);
  const get = (url: string) =>
    checked(new URL(url), { method: "GET", headers: {}, signal: AbortSignal.timeout(30_000) });
  await expect(get("https://inside.test/")).rejects.toBeInstanceOf(ForbiddenAddressError);
  await expect(get("https://10.0.0.7/")).rejects.toBeInstanceOf(ForbiddenAddressError);
  expect(proxy.seen).toEqual([]);
  expect(await get("http://site.test/")).toMatchObject({ status: 200 });
  expect(proxy.seen).toEqual(["GET http://site.test/"]);
  await way.close();
});
