import { expect, test } from "vitest";
import { parseLines } from "../testing/parse.ts";
import { cloudfront, cloudfrontJson } from "./cloudfront.ts";

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
const FIELDS =
  "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end";
const CHROME =
  "Mozilla/5.0%20(Windows%20NT%2010.0;%20Win64;%20x64)%20AppleWebKit/537.36%20(KHTML,%20like%20Gecko)%20Chrome/78.0.3904.108%20Safari/537.36";
const SHOWN = `2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\t${CHROME}\t-\t-\tHit\tf37nTMVvnKvV2ZSvEsivup_c2kZ7VXzYdjC-GUQZ5qNs-89BlWazbw==\td111111abcdef8.cloudfront.net\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html\t78\t-\t-`;
const FAILED =
  "2019-12-13\t22:37:02\tSEA19-C2\t900\t192.0.2.200\tGET\td111111abcdef8.cloudfront.net\t/\t502\t-\tcurl/7.55.1\t-\t-\tError\tkBkDzGnceVtWHqSCqBUqtA_cEs2T3tFUBbnBNkB9El_uVRhHgcZfcw==\twww.example.com\thttp\t387\t0.103\t-\t-\t-\tError\tHTTP/1.1\t-\t-\t12644\t0.103\tOriginDnsError\ttext/html\t507\t-\t-";

const EXPECTED = {
  time: Date.UTC(2019, 11, 4, 21, 2, 31) / 1000,
  method: "GET",
  target: "/index.html",
  status: 200,
  address: "192.0.2.100",
  userAgent:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/78.0.3904.108 Safari/537.36",
  referrer: "",
  host: "d111111abcdef8.cloudfront.net",
};

test("the documented sample", () => {
  const { kinds, requests } = parseLines(cloudfront, ["#Version: 1.0", FIELDS, SHOWN, `${SHOWN}\t`, FAILED]);
  expect(kinds).toEqual(["header", "header", "requests", "requests", "requests"]);
  expect(requests).toMatchObject([
    EXPECTED,
    EXPECTED,
    { status: 502, host: "www.example.com", userAgent: "curl/7.55.1" },
  ]);
});

test("columns are where the header says, and where they always were without one", () => {
  const chosen = "#Fields: cs-uri-stem timestamp(ms) sc-status cs-method c-ip cs-uri-query";
  const { requests } = parseLines(cloudfront, [
    SHOWN,
    chosen,
    "/caf%25C3%25A9\t1731623425421\t200\tGET\t192.0.2.1\ta=b",
  ]);
  expect(requests).toMatchObject([EXPECTED, { time: 1731623425, target: "/caf%C3%A9?a=b", userAgent: "" }]);
});

test("user agents of older logs are encoded twice", () => {
  const { requests } = parseLines(cloudfront, [SHOWN.replace(CHROME, CHROME.replaceAll("%20", "%2520"))]);
  expect(requests).toMatchObject([EXPECTED]);
});

test("lines that end too early or have no time are none", () => {
  const { kinds } = parseLines(cloudfront, [SHOWN.slice(0, 200), SHOWN.replace("21:02:31", "-"), "hello"]);
  expect(kinds).toEqual(["malformed", "malformed", "malformed"]);
});

test("the same fields as JSON", () => {
  const names = FIELDS.replace("#Fields: ", "").split(" ");
  const values = SHOWN.split("\t");
  const entry = Object.fromEntries(names.map((name, index) => [name, values[index]]));
  const { kinds, requests } = parseLines(cloudfrontJson, [
    JSON.stringify(entry),
    JSON.stringify({ ...entry, date: undefined, "timestamp(ms)": "1731699951183", "sc-status": 404 }),
    // The documented sample of standard logging (v2), whose fields say nothing of a page.
    '{"date":"2024-11-15","time":"19:45:51","x-edge-location":"SOF50-P2","asn":"16509","timestamp(ms)":"1731699951183","origin-fbl":"0.254","origin-lbl":"0.254","x-host-header":"d111111abcdef8.cloudfront.net","cs(Cookie)":"examplecookie=value"}',
  ]);
  expect(kinds).toEqual(["requests", "requests", "malformed"]);
  expect(requests).toMatchObject([EXPECTED, { time: 1731699951, status: 404 }]);
});
