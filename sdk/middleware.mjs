// Docent's middleware, as one file without dependencies: for Node 20 and later, Deno, Bun and edges.
// Written by `npm run generate` from sdk/src/middleware; change that instead. How to use it: docs/guides/middleware.md
// sdk/src/middleware/node.ts
/** Calls back once, when the response was handed over whole; never for a response that broke off. */
function afterResponse(response, callback) {
	let written;
	const own = response;
	const writeHead = own.writeHead;
	own.writeHead = function(...parameters) {
		written = contentTypeIn(parameters.at(-1));
		return writeHead.apply(this, parameters);
	};
	response.once("finish", () => {
		const set = response.getHeader("content-type");
		callback({
			status: response.statusCode,
			contentType: written ?? (set === void 0 ? void 0 : String(set))
		});
	});
}
/** Of an object, or of an array of names and values, flat or in pairs. */
function contentTypeIn(headers) {
	if (typeof headers !== "object" || headers === null) return void 0;
	const found = (Array.isArray(headers) ? inPairs(headers) : Object.entries(headers)).findLast(([name]) => String(name).toLowerCase() === "content-type");
	return found === void 0 ? void 0 : String(found[1]);
}
function inPairs(headers) {
	return headers.flatMap((header, index) => {
		if (Array.isArray(header)) return [header];
		return index % 2 === 0 ? [[header, headers[index + 1]]] : [];
	});
}
/** The path that was asked for, also where a proxy sends the whole URL. */
function nodePath(request) {
	const target = request.originalUrl ?? request.url ?? "/";
	return (target.startsWith("/") ? target : URL.canParse(target) ? new URL(target).pathname : "/").replace(/[?#].*/s, "");
}
function nodeHeader(request, name) {
	const value = request.headers[name] ?? (name === "host" ? request.headers[":authority"] : void 0);
	return Array.isArray(value) ? value.join(", ") : value;
}
// sdk/src/middleware/page-view.ts
const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml|text\/markdown|text\/x-markdown)\s*(;|$)/i;
const PLAIN_TYPE = /^text\/plain\s*(;|$)/i;
const MARKDOWN_PATH = /(\.mdx?|\/llms(-full)?\.txt)$/i;
/** An ending of letters, as files have; `/v1.2` has none. */
const FILE_PATH = /\.[a-z][a-z0-9]{0,4}$/i;
const PAGE_FILE_PATH = /\.(html?|xhtml|mdx?)$/i;
/** Names that say by being there that a framework fetches a part of a page, or a page ahead of its need. */
const PARTIAL_HEADERS = [
	"rsc",
	"next-router-prefetch",
	"x-middleware-prefetch",
	"x-nextjs-data"
];
const PURPOSE_HEADERS = [
	"sec-purpose",
	"purpose",
	"x-purpose",
	"x-moz"
];
/**
* Whether somebody was shown a page, or told that there is none: a GET, answered with HTML or Markdown, or with a page's 404 or 410.
* Assets, prefetches, redirects and errors are none.
*/
function isPageView(request, response) {
	if (!mayBePageView(request)) return false;
	const { status, contentType } = response;
	if (status === 304) return isPagePath(request.path);
	const isPage = contentType !== void 0 && (PAGE_TYPE.test(contentType) || PLAIN_TYPE.test(contentType) && MARKDOWN_PATH.test(request.path));
	if (status === 200 || status === 203) return isPage;
	return (status === 404 || status === 410) && isPagePath(request.path);
}
/** The same where the answer cannot be seen: by the path alone, and by what browsers say that they fetch. */
function isPageRequest(request) {
	const destination = request.header("sec-fetch-dest");
	const isForReading = destination === void 0 || destination === "document" || MARKDOWN_PATH.test(request.path);
	return mayBePageView(request) && isForReading && isPagePath(request.path);
}
function mayBePageView(request) {
	if (request.method !== "GET") return false;
	if (PARTIAL_HEADERS.some((name) => request.header(name) !== void 0)) return false;
	return !PURPOSE_HEADERS.some((name) => /prefetch|preview|prerender/i.test(request.header(name) ?? ""));
}
function isPagePath(path) {
	return !FILE_PATH.test(path) || PAGE_FILE_PATH.test(path) || MARKDOWN_PATH.test(path);
}
// sdk/src/middleware/pause.ts
const pause = (milliseconds, { signal, holdsProcess }) => new Promise((resolve) => {
	if (signal.aborted) {
		resolve();
		return;
	}
	const end = () => {
		clearTimeout(timer);
		signal.removeEventListener("abort", end);
		resolve();
	};
	const timer = setTimeout(end, milliseconds);
	signal.addEventListener("abort", end);
	if (!holdsProcess && typeof timer === "object") timer.unref();
});
// sdk/src/error.ts
/**
* Anything that kept a request from its answer.
*
* `code` is the service's stable error code (`rate_limited`, `job_archived`, …), or one of the client's own:
* `unreachable` (no connection; `cause` says why), `credential_missing` (nothing was sent),
* `unexpected_answer` (something other than Docent answered), `timed_out` (a `waitFor` ran out of time).
*/
var DocentError = class extends Error {
	/** The HTTP status; 0 when there was no answer. */
	status;
	code;
	details;
	/** The `X-Request-Id` of the answer, to find the request in the service's log. */
	requestId;
	/** Seconds to wait before trying again, where the service said so. */
	retryAfter;
	constructor(message, fields) {
		super(message, fields.cause === void 0 ? {} : { cause: fields.cause });
		this.name = "DocentError";
		this.status = fields.status;
		this.code = fields.code;
		this.details = fields.details ?? [];
		this.requestId = fields.requestId;
		this.retryAfter = fields.retryAfter;
	}
};
/** The error that an unsuccessful response stands for. Reads the body. */
async function errorFromResponse(response) {
	const body = parseErrorBody(await response.text().catch(() => ""));
	const seconds = Number(response.headers.get("retry-after") ?? NaN);
	return new DocentError(body?.error ?? `The answer was HTTP ${response.status}, and not from Docent.`, {
		status: response.status,
		code: body?.code ?? "unexpected_answer",
		details: body?.details ?? [],
		requestId: response.headers.get("x-request-id") ?? void 0,
		retryAfter: Number.isFinite(seconds) ? seconds : void 0
	});
}
function parseErrorBody(text) {
	let parsed;
	try {
		parsed = JSON.parse(text);
	} catch {
		return;
	}
	if (typeof parsed !== "object" || parsed === null || !("error" in parsed) || !("code" in parsed)) return void 0;
	const { error, code } = parsed;
	if (typeof error !== "string" || typeof code !== "string") return void 0;
	return {
		error,
		code,
		details: ("details" in parsed && Array.isArray(parsed.details) ? parsed.details : []).flatMap((detail) => typeof detail === "object" && detail !== null && "message" in detail && typeof detail.message === "string" ? [{ message: detail.message }] : [])
	};
}
// sdk/src/request.ts
/** A path with each value encoded: path`/v1/projects/${id}`. */
function path(parts, ...values) {
	return parts.map((part, index) => part + (index < values.length ? encodeURIComponent(values[index] ?? "") : "")).join("");
}
// sdk/src/middleware/post-views.ts
/** Sends views to the collect endpoint. Never rejects. */
function createPostViews(options) {
	const base = options.baseUrl.replace(/\/+$/, "");
	const url = `${base}${path`/v1/collect/${options.projectId}`}`;
	const headers = {
		Authorization: `Bearer ${options.apiKey}`,
		"Content-Type": "application/json"
	};
	const send = options.fetch ?? globalThis.fetch.bind(globalThis);
	return async (views, signal) => {
		try {
			const body = JSON.stringify({ events: views });
			const response = await send(url, {
				method: "POST",
				headers,
				body,
				redirect: "manual",
				signal
			});
			if (response.ok) return readAnswer(await response.text(), base);
			const retryAfterMs = readRetryAfter(response.headers.get("retry-after"));
			const { message } = await errorFromResponse(response);
			const problem = `${base} answered ${response.status}: ${message}`;
			return isTemporary(response.status) ? {
				kind: "failed",
				problem,
				retryAfterMs
			} : {
				kind: "refused",
				problem
			};
		} catch (error) {
			return {
				kind: "failed",
				problem: `${base} cannot be reached: ${reasonOf(error)}`,
				retryAfterMs: void 0
			};
		}
	};
}
function readAnswer(text, base) {
	try {
		const answer = JSON.parse(text);
		if (typeof answer === "object" && answer !== null && "accepted" in answer && typeof answer.accepted === "number") {
			const rejected = "rejected" in answer && Array.isArray(answer.rejected) ? answer.rejected.length : 0;
			return {
				kind: "stored",
				accepted: answer.accepted,
				rejected
			};
		}
	} catch {}
	return {
		kind: "refused",
		problem: `${base} did not answer like Docent: is the baseUrl right?`
	};
}
function isTemporary(status) {
	return status >= 500 || status === 408 || status === 425 || status === 429;
}
/** Seconds or a date, in milliseconds from now. */
function readRetryAfter(header) {
	if (header === null) return void 0;
	const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1e3 : Date.parse(header) - Date.now();
	return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : void 0;
}
/** Node's fetch says only "fetch failed"; the reason is one or two causes down. */
function reasonOf(error) {
	let reason = error;
	while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
	if (reason instanceof Error && "code" in reason && typeof reason.code === "string") return reason.code;
	return reason instanceof Error ? reason.message : String(reason);
}
// sdk/src/middleware/problem-log.ts
const QUIET_MS = 6e4;
/** Passes the first problem of each kind on, and then one a minute at most. */
function createProblemLog(write, clock) {
	const last = new Map();
	return (kind, problem) => {
		const now = clock();
		if (now - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
		last.set(kind, now);
		try {
			write(problem);
		} catch {}
	};
}
// sdk/src/middleware/sender.ts
const FIRST_RETRY_MS = 1e3;
const RETRY_MS_MAX = 6e4;
/** A service may ask for more patience than that; it does not get more. */
const RETRY_AFTER_MS_MAX = 3e5;
/** What runs after an answer on an edge has some 30 s. */
const TRIES_NOW = 3;
const RETRY_NOW_MS_MAX = 5e3;
function createSender(dependencies, options) {
	const { post, pause, report } = dependencies;
	const { batchSize, batchDelayMs, queueSize, requestTimeoutMs } = options;
	const queue = [];
	const counts = {
		accepted: 0,
		rejected: 0,
		dropped: 0
	};
	const sendingNow = new Set();
	const end = new AbortController();
	/** Ends the pause that the loop is in, if it is in one. */
	let interruption;
	let loop;
	let closing;
	/** Views that came in, and views that left the queue, since the start. */
	let added = 0;
	let gone = 0;
	/** Up to this one, views do not wait for others. */
	let urgentUntil = 0;
	let isRetrying = false;
	let failuresInARow = 0;
	let failedAttempts = 0;
	const attemptListeners = [];
	function drop(number, reason) {
		counts.dropped += number;
		report("dropped", `Lost so far: ${counts.dropped}. The last one because ${reason.replace(/\.$/, "")}.`);
	}
	function add(view) {
		if (closing !== void 0) return drop(1, "they came after the end");
		if (queue.length >= queueSize) return drop(1, `${queueSize} others wait to be sent`);
		queue.push(view);
		added += 1;
		if (queue.length >= batchSize && !isRetrying) interruption?.abort();
		loop ??= run().finally(() => {
			loop = void 0;
		});
	}
	async function rest(milliseconds) {
		interruption = new AbortController();
		await pause(milliseconds, {
			signal: interruption.signal,
			holdsProcess: closing !== void 0
		});
		interruption = void 0;
	}
	async function run() {
		while (queue.length > 0 && !end.signal.aborted) {
			if (failuresInARow === 0 && queue.length < batchSize && gone >= urgentUntil) await rest(batchDelayMs);
			if (end.signal.aborted) break;
			const batch = queue.slice(0, batchSize);
			const outcome = await post(batch, AbortSignal.any([end.signal, AbortSignal.timeout(requestTimeoutMs)]));
			if (outcome.kind === "failed") {
				failuresInARow += 1;
				failedAttempts += 1;
				report("failed", outcome.problem);
			} else {
				failuresInARow = 0;
				settle(batch.length, outcome);
				queue.splice(0, batch.length);
				gone += batch.length;
			}
			for (const listener of attemptListeners.splice(0)) listener();
			if (outcome.kind !== "failed" || end.signal.aborted) continue;
			isRetrying = true;
			await rest(retryDelayMs(failuresInARow, outcome.retryAfterMs));
			isRetrying = false;
		}
	}
	function settle(number, outcome) {
		if (outcome.kind === "refused") return drop(number, outcome.problem);
		counts.accepted += outcome.accepted;
		counts.rejected += outcome.rejected;
	}
	async function sendNow(view) {
		if (closing !== void 0) return drop(1, "they came after the end");
		if (sendingNow.size >= queueSize) return drop(1, `${queueSize} others are being sent`);
		const sending = tryNow(view).finally(() => sendingNow.delete(sending));
		sendingNow.add(sending);
		await sending;
	}
	async function tryNow(view) {
		for (let tries = 1;; tries += 1) {
			const outcome = await post([view], AbortSignal.timeout(requestTimeoutMs));
			if (outcome.kind !== "failed") return settle(1, outcome);
			if (tries === TRIES_NOW) return drop(1, outcome.problem);
			const milliseconds = Math.min(retryDelayMs(tries, outcome.retryAfterMs), RETRY_NOW_MS_MAX);
			await pause(milliseconds, {
				signal: end.signal,
				holdsProcess: true
			});
		}
	}
	async function flush() {
		const target = added;
		const failedBefore = failedAttempts;
		urgentUntil = Math.max(urgentUntil, target);
		while (gone < target && failedAttempts === failedBefore && !end.signal.aborted) {
			const attempt = new Promise((resolve) => attemptListeners.push(resolve));
			interruption?.abort();
			await attempt;
		}
		await Promise.all(sendingNow);
	}
	async function closeNow(deadlineMs) {
		urgentUntil = Number.POSITIVE_INFINITY;
		interruption?.abort();
		const drained = new AbortController();
		const deadline = pause(deadlineMs, {
			signal: drained.signal,
			holdsProcess: true
		});
		await Promise.race([Promise.all([loop, ...sendingNow]), deadline]);
		drained.abort();
		end.abort();
		interruption?.abort();
		await loop;
		if (queue.length > 0) drop(queue.length, "the end came before the service could be reached");
		gone += queue.splice(0).length;
	}
	return {
		add,
		sendNow,
		flush,
		close(deadlineMs) {
			closing ??= Promise.resolve().then(() => closeNow(deadlineMs));
			return closing;
		},
		counts: () => ({
			...counts,
			waiting: queue.length + sendingNow.size
		})
	};
}
/** Doubled with each failure, and somewhere in its upper half, so that many servers do not come back together. */
function retryDelayMs(failures, retryAfterMs) {
	if (retryAfterMs !== void 0) return Math.min(retryAfterMs, RETRY_AFTER_MS_MAX);
	return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), RETRY_MS_MAX) * (.5 + Math.random() / 2);
}
// sdk/src/middleware/client-address.ts
/** The client's IP address, or undefined where nothing says it. */
function clientAddress(options, header, connection) {
	if (options.addressHeader === void 0) return readAddress(connection);
	return readAddress((header(options.addressHeader.toLowerCase())?.split(",") ?? []).at(-(options.trustedProxies ?? 1)));
}
/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`, and IPv4 inside of IPv6. */
function readAddress(text) {
	const trimmed = text?.trim() ?? "";
	const inBrackets = /^\[([0-9a-f:.]+)\](:\d+)?$/i.exec(trimmed)?.[1];
	const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1];
	const address = (inBrackets ?? withPort ?? trimmed).replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*/, "");
	return /^\d{1,3}(\.\d{1,3}){3}$/.test(address) || /^[0-9a-f:.]*:[0-9a-f:.]+$/i.test(address) ? address : void 0;
}
// sdk/src/middleware/view.ts
/** As long as the longest path that Docent stores is when each of its characters is encoded. */
const PATH_LENGTH_MAX = 3e3;
/** Longer values say nothing more, and would let a client fill the memory. */
const HEADER_LENGTH_MAX = 1e3;
/** The view as it is sent; `unwanted`, or `nameless`: nothing says from which address it came. */
function readView(options, seen) {
	const { request, status } = seen;
	if (request.path.length > PATH_LENGTH_MAX) return "unwanted";
	if (options.includes !== void 0 && !options.includes(request.path)) return "unwanted";
	const header = (name) => (request.header(name) ?? "").slice(0, HEADER_LENGTH_MAX);
	const ip = clientAddress(options, (name) => request.header(name), seen.connection);
	if (ip === void 0) return "nameless";
	const referrer = foreignReferrer(header("referer"), [header("host"), header("x-forwarded-host")]);
	const accept = header("accept");
	return {
		path: request.path,
		ip,
		userAgent: header("user-agent"),
		...referrer === void 0 ? {} : { referrer },
		...accept === "" ? {} : { accept },
		method: "GET",
		...status === void 0 ? {} : { status },
		timestamp: new Date(seen.time).toISOString(),
		source: "middleware",
		...request.header("sec-gpc") === "1" ? { globalPrivacyControl: true } : {}
	};
}
/** The origin that linked here; undefined when none did, or the site itself. */
function foreignReferrer(referrer, ownHosts) {
	if (!URL.canParse(referrer)) return void 0;
	const { protocol, host, origin } = new URL(referrer);
	return protocol.startsWith("http") && !ownHosts.includes(host) ? origin : void 0;
}
// sdk/src/middleware/middleware.ts
/**
* Records who reads the documentation that a server delivers, people and AI agents, and tells a Docent service. It never delays a
* response, and none of its methods throws or rejects.
*
*     const views = createViewMiddleware({ baseUrl: "https://docent.example.com", projectId: "prj_…", apiKey });
*     app.use(views.node);
*/
function createViewMiddleware(options) {
	const clock = options.clock ?? Date.now;
	const report = createProblemLog(options.onProblem ?? ((problem) => console.warn(`Docent page views: ${problem}`)), clock);
	const sender = createSender({
		post: createPostViews(options),
		pause: options.pause ?? pause,
		report
	}, {
		batchSize: Math.min(options.batchSize ?? 100, 250),
		batchDelayMs: options.batchDelayMs ?? 2e3,
		queueSize: options.queueSize ?? 1e4,
		requestTimeoutMs: options.requestTimeoutMs ?? 1e4
	});
	const seenResponses = new WeakSet();
	function guarded(task) {
		try {
			task();
		} catch (error) {
			report("failure", `A view could not be recorded: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	function toSend(seen) {
		const view = readView(options, seen);
		if (view === "nameless") {
			const place = options.addressHeader === void 0 ? "connection" : `header ${options.addressHeader}`;
			report("nameless", `A view was not recorded, because its ${place} names no address. Set addressHeader to the header in which your proxy does.`);
		}
		return typeof view === "string" ? void 0 : view;
	}
	function record(seen, context) {
		const view = toSend(seen);
		if (view === void 0) return;
		if (context.waitUntil === void 0) sender.add(view);
		else context.waitUntil(sender.sendNow(view));
	}
	return {
		node(request, response, next) {
			guarded(() => {
				if (seenResponses.has(response)) return;
				seenResponses.add(response);
				const time = clock();
				const seen = {
					method: request.method ?? "",
					path: nodePath(request),
					header: (name) => nodeHeader(request, name)
				};
				const connection = request.socket?.remoteAddress;
				afterResponse(response, (answer) => guarded(() => {
					if (isPageView(seen, answer)) record({
						request: seen,
						connection,
						status: answer.status,
						time
					}, {});
				}));
			});
			next?.();
		},
		recordResponse(request, response, context = {}) {
			guarded(() => {
				const seen = seenWebRequest(request);
				const answer = {
					status: response.status,
					contentType: response.headers.get("content-type") ?? void 0
				};
				if (!isPageView(seen, answer)) return;
				record({
					request: seen,
					connection: context.address,
					status: answer.status,
					time: clock()
				}, context);
			});
		},
		recordRequest(request, context = {}) {
			guarded(() => {
				const seen = seenWebRequest(request);
				if (!isPageRequest(seen)) return;
				record({
					request: seen,
					connection: context.address,
					status: void 0,
					time: clock()
				}, context);
			});
		},
		flush: () => sender.flush(),
		close: ({ deadlineMs = 5e3 } = {}) => sender.close(deadlineMs),
		counts: () => sender.counts()
	};
}
function seenWebRequest(request) {
	const { pathname, host } = new URL(request.url);
	return {
		method: request.method,
		path: pathname,
		header: (name) => request.headers.get(name) ?? (name === "host" ? host : void 0)
	};
}
export { createViewMiddleware };
