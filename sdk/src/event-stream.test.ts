import fc from "fast-check";
import { expect, test } from "vitest";
import { parseEventStream, type StreamedEvent } from "./event-stream.ts";

async function parse(chunks: readonly Uint8Array[]): Promise<StreamedEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: StreamedEvent[] = [];
  for await (const event of parseEventStream(body)) events.push(event);
  return events;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("fields, comments and blank lines mean what the standard says", async () => {
  const events = await parse([
    bytes("retry: 250\n\n: still here\n\nid: 7\nevent: status\ndata: one\ndata: two\n\ndata:three\n\nevent: none\n\n"),
  ]);
  expect(events).toEqual([
    { id: "7", type: "status", data: "one\ntwo", retry: 250 },
    { id: "7", type: "message", data: "three", retry: 250 },
  ]);
});

test("an event whose end never arrived is not given out", async () => {
  expect(await parse([bytes("data: whole\n\ndata: half\n")])).toHaveLength(1);
});

test("the same bytes give the same events, however they are cut and whatever ends the lines", async () => {
  const text = fc.string({ unit: "grapheme" }).filter((value) => !/[\r\n]/.test(value));
  const ends = fc.constantFrom("\n", "\r\n", "\r");
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1 }), ends, fc.array(fc.nat()), async (datas, end, cuts) => {
      const stream = datas.map((data, index) => `id: ${index}${end}data: ${data}${end}${end}`).join("");
      const all = bytes(stream);
      const places = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length];
      const chunks = places.slice(1).map((place, index) => all.subarray(places[index], place));
      const events = await parse(chunks);
      expect(events.map(({ data }) => data)).toEqual(datas);
      expect(events.map(({ id }) => id)).toEqual(datas.map((_, index) => String(index)));
    }),
  );
});
