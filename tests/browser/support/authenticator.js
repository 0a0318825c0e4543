// An authenticator such as telephones have one built in, made of software: it keeps passkeys, and its owner is there.

/** Gives a page one. @param {import("playwright-core").Page} page */
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
    /** The passkeys that it keeps. */
    async passkeys() {
      return (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
    },
    /** Whether its owner shows that it is them. @param {boolean} isThere */
    async owner(isThere) {
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: isThere });
    },
  };
}
