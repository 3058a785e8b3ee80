/** One place that looks like a credential. Never holds the credential itself. */
export interface FoundSecret {
  /** What it looks like, as in "a GitHub token". */
  kind: string;
  /** 1-based. */
  line: number;
}

/** Token shapes, each with the page that documents its prefix. `g` for several in a line. */
const SHAPES: readonly { kind: string; pattern: RegExp }[] = [
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-prefixes
  { kind: "an AWS access key id", pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  {
    kind: "an AWS secret access key",
    pattern: /aws_?secret_?access_?key["']?\s*[:=]\s*["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
  { kind: "a GitHub token", pattern: /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g },
  { kind: "a GitHub token", pattern: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/g },
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  { kind: "a GitLab token", pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20,}/g },
  // https://docs.slack.dev/authentication/tokens
  { kind: "a Slack token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/g },
  { kind: "a Slack token", pattern: /\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}/g },
  {
    kind: "a Slack webhook",
    pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/([A-Za-z0-9]{20,})/g,
  },
  // https://cloud.google.com/docs/authentication/api-keys
  { kind: "a Google API key", pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { kind: "a Google OAuth client secret", pattern: /\bGOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  // https://docs.stripe.com/keys
  { kind: "a Stripe key", pattern: /\b[sr]k_live_[A-Za-z0-9]{20,}/g },
  { kind: "a Stripe webhook secret", pattern: /\bwhsec_[A-Za-z0-9+/]{32,}/g },
  // https://platform.openai.com/docs/api-reference/authentication, https://docs.claude.com/en/api/overview
  { kind: "an Anthropic key", pattern: /\bsk-ant-[A-Za-z0-9]+-[A-Za-z0-9_-]{32,}/g },
  { kind: "an OpenAI key", pattern: /\bsk-(?:proj-|svcacct-|admin-)?(?!ant-)[A-Za-z0-9_-]{32,}/g },
  // https://docs.npmjs.com/about-access-tokens, https://pypi.org/help/#apitoken
  { kind: "an npm token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: "a PyPI token", pattern: /\bpypi-AgE[A-Za-z0-9_-]{50,}/g },
  // https://huggingface.co/docs/hub/security-tokens
  { kind: "a Hugging Face token", pattern: /\bhf_[A-Za-z]{34}\b/g },
  // https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
  { kind: "a SendGrid key", pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g },
  { kind: "a Docent API key", pattern: /\bdocent_[A-Za-z0-9_-]{40,}/g },
  // RFC 7468, section 2 (labels); OpenSSH's PROTOCOL.key
  { kind: "a private key", pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g },
  // RFC 7519, section 3: a JSON object begins with `{"`, in base64url `eyJ`
  { kind: "a JSON web token", pattern: /\beyJ[A-Za-z0-9_-]{10,}\.(eyJ[A-Za-z0-9_-]{10,})\.[A-Za-z0-9_-]{20,}/g },
];

const PLACEHOLDER =
  /example|sample|placeholder|your|dummy|fake|redacted|changeme|replace|insert|secret_?key_?here|x{4,}|\*{3,}|\.{3,}|0{6,}|1234567|abcdef|test_?key|<|>/i;

/** Documentation shows tokens' shapes: words like EXAMPLE, runs of x, or few different characters are no secret. */
function isPlaceholder(token: string): boolean {
  return PLACEHOLDER.test(token) || new Set(token.slice(-24)).size < 8;
}

/** The token of https://jwt.io and its like: its claims are the well-known sample ones. */
function hasSampleClaims(payload: string): boolean {
  return /"sub":\s*"(?:1234567890|user|123)"|john doe|example\.(?:com|org)/i.test(
    Buffer.from(payload, "base64url").toString("utf8"),
  );
}

function isSecret(kind: string, match: RegExpMatchArray): boolean {
  const token = match[1] ?? match[0];
  if (kind === "a JSON web token") return !hasSampleClaims(token);
  // A shape's fixed prefix proves nothing; a slug such as sk-… of plain words has no digit or capital.
  return !isPlaceholder(token) && /[0-9]/.test(token.slice(4)) && /[A-Za-z]/.test(token);
}

/** Key blocks that show only the frame, as documentation does, hold no key. */
function isEmptyKeyBlock(lines: readonly string[], index: number): boolean {
  const inline = /-----BEGIN[^-]*-----(.*)/.exec(lines[index] ?? "")?.[1] ?? "";
  const body = `${inline}${lines.slice(index + 1, index + 4).join("")}`;
  return !/[A-Za-z0-9+/]{40,}/.test(body.replace(/\\n|\s|["'|>]/g, ""));
}

/**
 * Lines that hold what looks like a real credential. `counts` says which lines to look at (1-based); all when absent.
 */
export function findSecrets(text: string, counts: (line: number) => boolean = () => true): FoundSecret[] {
  const found: FoundSecret[] = [];
  const lines = text.split(/\r\n|\n/);
  for (const [index, line] of lines.entries()) {
    if (line.length < 20 || !counts(index + 1)) continue;
    const kinds = new Set<string>();
    for (const { kind, pattern } of SHAPES) {
      for (const match of line.matchAll(pattern)) {
        if (kind === "a private key" ? !isEmptyKeyBlock(lines, index) : isSecret(kind, match)) kinds.add(kind);
      }
    }
    for (const kind of kinds) found.push({ kind, line: index + 1 });
  }
  return found;
}
