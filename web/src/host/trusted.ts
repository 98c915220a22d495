// The policy that lets the page's own scripts be named as addresses of workers.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(text: string): string }): { createScriptURL(text: string): string };
}
const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
const policy = trustedTypes?.createPolicy("weft-worker", { createScriptURL: (text) => text });

/** An address of the site's own that a worker may be made of. */
export const scriptAddress = (address: string): string => (policy ? policy.createScriptURL(address) : address);
