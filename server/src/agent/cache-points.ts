import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelMessage, SystemModelMessage } from "ai";
import type { ResolvedModel } from "./models/models.ts";

/**
 * Marks up to where a provider is to keep what it has read: the instructions with the tools, and the last two messages
 * of the user or of tools. The last one is where the next call goes on; the one before is where this call finds what the
 * call before it left. Anthropic and Bedrock take at most four such points, and want to be told; the others keep
 * beginnings by themselves.
 * @see https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
export function withCachePoints(
  { provider, model }: Pick<ResolvedModel, "provider" | "model">,
  instructions: string,
  messages: readonly ModelMessage[],
): { instructions: SystemModelMessage; messages: ModelMessage[] } {
  const point = cachePoint(provider, model.modelId);
  const system: SystemModelMessage = { role: "system", content: instructions };
  if (point === undefined) return { instructions: system, messages: [...messages] };
  const marked = messages.flatMap(({ role }, index) => (role === "assistant" ? [] : [index])).slice(-2);
  return {
    instructions: { ...system, providerOptions: point },
    messages: messages.map((message, index) =>
      marked.includes(index) ? { ...message, providerOptions: { ...message.providerOptions, ...point } } : message,
    ),
  };
}

function cachePoint(provider: ResolvedModel["provider"], modelId: string): SharedV4ProviderOptions | undefined {
  if (provider === "anthropic") return { anthropic: { cacheControl: { type: "ephemeral" } } };
  // Bedrock refuses the whole call for models that know no cache points.
  const isKnown = /(^|\.)(anthropic\.claude|amazon\.nova)/.test(modelId);
  return provider === "bedrock" && isKnown ? { bedrock: { cachePoint: { type: "default" } } } : undefined;
}
