/** A browser on a page of the service: keeps cookies, and says where its requests come from. */
export interface TestPage {
  request(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<PageAnswer>;
  cookies: Map<string, string>;
  /** The `Set-Cookie` headers of the last answer. */
  lastCookies(): string[];
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests compare it.
  body: any;
}

/** @param url where the service is reached, and where the page comes from. */
export function openPage(url: string): TestPage {
  const cookies = new Map<string, string>();
  let last: string[] = [];
  return {
    cookies,
    lastCookies: () => last,
    async request(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        redirect: "manual",
        headers: {
          origin: url,
          "sec-fetch-site": "same-origin",
          "user-agent": "Mozilla/5.0 (a test)",
          cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      last = response.headers.getSetCookie();
      for (const line of last) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === "" || /max-age=0/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}
