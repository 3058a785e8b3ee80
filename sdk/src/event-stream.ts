/** One event of a `text/event-stream` body, as the HTML standard's section 9.2.6 parses it. */
export interface StreamedEvent {
  /** The last `id` seen so far; `""` when there was none. */
  id: string;
  /** The `event` field; `message` when there was none. */
  type: string;
  data: string;
  /** Milliseconds to wait before reconnecting, once the server has named them. */
  retry: number | undefined;
}

/** Parses an event stream while it arrives. Comments and events without data are passed over, as the standard says. */
export async function* parseEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, void, void> {
  let id = "";
  let type = "";
  let data: string[] = [];
  let retry: number | undefined;
  for await (const line of lines(body)) {
    if (line === "") {
      if (data.length > 0) yield { id, type: type === "" ? "message" : type, data: data.join("\n"), retry };
      type = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "event") type = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d+$/.test(value)) retry = Number(value);
  }
}

/** Lines end in LF, CR or CRLF; an unfinished last line is dropped, because its event was not completed either. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let afterReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      if (text === "") continue;
      // A CR ends its line at once; an LF that follows it in the next chunk belongs to it.
      rest += afterReturn && text.startsWith("\n") ? text.slice(1) : text;
      afterReturn = text.endsWith("\r");
      const parts = rest.split(/\r\n|\r|\n/);
      rest = parts.pop() ?? "";
      yield* parts;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
