/** A process of its own: Fastify with nothing on it, as the yardstick. It answers every GET with the bytes it was given, and takes any POST. */
import { fastify } from "fastify";
import type { BareServerNews } from "./bare/http.ts";

const [body = ""] = process.argv.slice(2);
const app = fastify();
app.get("/", (_request, reply) => reply.header("content-type", "application/json; charset=utf-8").send(body));
app.post("/", (_request, reply) =>
  reply.code(201).header("content-type", "application/json; charset=utf-8").send(body),
);
const news: BareServerNews = { url: await app.listen({ host: "127.0.0.1", port: 0 }) };
process.send?.(news);
process.on("disconnect", () => process.exit(0));
