import { expect, test } from "vitest";
import { detectFormat, FORMATS, namesHosts } from "./formats.ts";

const LINES: Record<string, string> = {
  combined: '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-"',
  cloudfront:
    "2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td1.cloudfront.net\t/\t200\t-\tcurl\t-\t-\tHit\tx==\td1.cloudfront.net\thttps\t23\t0.001\t-\tTLSv1.2\tX\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html\t78\t-\t-",
  "cloudfront-json":
    '{"date":"2019-12-04","time":"21:02:31","c-ip":"192.0.2.1","cs-method":"GET","cs-uri-stem":"/","sc-status":"200"}',
  caddy:
    '{"ts":1646861401,"logger":"http.log.access","request":{"remote_ip":"192.0.2.1","method":"GET","host":"h","uri":"/"},"status":200}',
  cloudflare:
    '{"ClientIP":"192.0.2.1","ClientRequestURI":"/","EdgeStartTimestamp":1545155129,"EdgeResponseStatus":200}',
  vercel:
    '{"source":"static","deploymentId":"d","proxy":{"timestamp":1573817250172,"path":"/","statusCode":200,"clientIp":"192.0.2.1"}}',
};
const buffers = (...lines: string[]): Buffer[] => lines.map((line) => Buffer.from(line));

test.each(FORMATS.map(({ name }) => name))("%s is recognised by a line, also among broken ones", (name) => {
  const line = LINES[name] ?? "";
  expect(detectFormat(buffers(line))?.name).toBe(name);
  expect(detectFormat(buffers("broken", line, line))?.name).toBe(name);
  expect(detectFormat(buffers("broken", "broken", line))).toBeUndefined();
});

test("nothing is recognised in other texts", () => {
  expect(detectFormat(buffers("hello", "world"))).toBeUndefined();
  expect(detectFormat(buffers('{"a":1}'))).toBeUndefined();
  expect(detectFormat([])).toBeUndefined();
});

test("a format says whether its lines name hosts", () => {
  const [combined] = FORMATS;
  if (combined === undefined) throw new Error("There is no format.");
  expect(namesHosts(combined, buffers(LINES["combined"] ?? ""))).toBe(false);
  expect(namesHosts(combined, buffers(`docs.example.com:443 ${LINES["combined"]}`))).toBe(true);
});
