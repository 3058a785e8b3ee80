import { anthropicWire } from "./anthropic.ts";
import { bedrockWire } from "./bedrock.ts";
import { googleWire } from "./google.ts";
import { openaiCompatibleWire } from "./openai-compatible.ts";
import { openaiWire } from "./openai.ts";
import type { Wire } from "./wire.ts";

export const WIRES: readonly Wire[] = [anthropicWire, openaiWire, googleWire, bedrockWire, openaiCompatibleWire];
