// A virtual authenticator, like those built into phones: it stores passkeys, and its owner is present.

/** Gives a page an authenticator. @param {import("playwright-core").Page} page */
export async function withAuthenticator(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** The stored passkeys. */
    async passkeys() {
      return (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
    },
    /** Sets whether its owner confirms. @param {boolean} isThere */
    async owner(isThere) {
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: isThere });
    },
  };
}
