// Passkeys: what the browser is asked for, and what the server is told of it.

import { Problem, ask } from "../api/rest.js";
import { base64url, bytesOf } from "./base64url.js";
import { become, token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["Passkey"]} Passkey */
/** @typedef {import("../api/wire").components["schemas"]["PasskeyAnswer"]} PasskeyAnswer */
/** @typedef {import("../api/wire").components["schemas"]["PasskeyChallenge"]} PasskeyChallenge */
/** @typedef {import("../api/wire").components["schemas"]["PasskeyOwner"]} PasskeyOwner */
/** @typedef {import("./account.js").Proof} Proof */

/**
 * A passkey as it is added.
 * @typedef {{name: string, challenge: string, client_data_json: string, attestation_object: string}} NewPasskey
 */

export const NAME_LONGEST = 40;

/** The person has not used a passkey after all, or the browser could not. Its name is a code of its own. */
const GIVEN_UP = "passkey_given_up";

/** What is kept on this authenticator already cannot be kept there again. */
const KEPT_ALREADY = "passkey_kept_already";

/** Browsers use passkeys on domains alone, and only where nobody can listen. */
const ADDRESS = /^\[|^\d+\.\d+\.\d+\.\d+$/;

/** Whether passkeys can be used on this page. */
export const canUsePasskeys = () =>
  "PublicKeyCredential" in globalThis && isSecureContext && !ADDRESS.test(location.hostname);

/** Whether the browser offers passkeys where a handle is typed. */
export const canOfferPasskeys = async () =>
  canUsePasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** What a passkey is to sign to sign in. @returns {Promise<PasskeyChallenge>} @throws {Problem} */
export const signInChallenge = () => ask("POST", "/sign-in/passkey/challenge");

/**
 * What a passkey of the guest of this device is to sign. Who has no account yet is made a guest, and tells the
 * handle that the passkey is to show.
 * @param {string} [handle]
 * @returns {Promise<PasskeyChallenge>}
 * @throws {Problem}
 */
async function ownChallenge(handle) {
  const { token } = await become();
  return ask("POST", "/me/passkeys/challenge", { body: { handle }, token });
}

/**
 * Lets the person use a passkey.
 * @param {PasskeyChallenge} challenge
 * @param {{quietly?: boolean, signal?: AbortSignal}} [how] quietly: only once they choose one where they type
 * @returns {Promise<PasskeyAnswer>}
 * @throws {Problem} `passkey_given_up`
 */
export async function usePasskey({ challenge, relying_party: rpId, account }, { quietly = false, signal } = {}) {
  const used = await given(
    navigator.credentials.get({
      publicKey: {
        challenge: bytesOf(challenge),
        rpId,
        allowCredentials: account?.credentials.map(described) ?? [],
        userVerification: "required",
      },
      ...(quietly ? { mediation: "conditional" } : {}),
      signal,
    }),
  );
  const answer = /** @type {AuthenticatorAssertionResponse} */ (used.response);
  return {
    challenge,
    credential: used.id,
    client_data_json: base64url(answer.clientDataJSON),
    authenticator_data: base64url(answer.authenticatorData),
    signature: base64url(answer.signature),
    user_handle: answer.userHandle ? base64url(answer.userHandle) : undefined,
  };
}

/** Proves with a passkey that it is the person who asks. @returns {Promise<Proof>} @throws {Problem} */
export async function passkeyProof() {
  return { passkey: await usePasskey(await ownChallenge()) };
}

/**
 * Makes a passkey on an authenticator of the person's. The server does not know it yet.
 * @param {string} name what the person calls it
 * @param {string} [handle] that of the account which is opened with it
 * @returns {Promise<NewPasskey>}
 * @throws {Problem} `passkey_given_up`; `passkey_kept_already`
 */
export async function makePasskey(name, handle) {
  const { challenge, relying_party: id, account } = await ownChallenge(handle);
  const { user, name: shown, algorithms, credentials } = /** @type {PasskeyOwner} */ (account);
  const made = await given(
    navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(challenge),
        rp: { id, name: "Lusoria" },
        user: { id: bytesOf(user), name: handle ?? shown, displayName: handle ?? shown },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: credentials.map(described),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        attestation: "none",
      },
    }),
  );
  const answer = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return {
    name,
    challenge,
    client_data_json: base64url(answer.clientDataJSON),
    attestation_object: base64url(answer.attestationObject),
  };
}

/** @param {string} id @returns {PublicKeyCredentialDescriptor} */
const described = (id) => ({ type: "public-key", id: bytesOf(id) });

/** What the browser gives. @param {Promise<Credential | null>} asked @returns {Promise<PublicKeyCredential>} */
async function given(asked) {
  try {
    const credential = await asked;
    if (credential) return /** @type {PublicKeyCredential} */ (credential);
  } catch (why) {
    if (!(why instanceof DOMException) || why.name === "AbortError") throw why;
    throw new Problem({ code: why.name === "InvalidStateError" ? KEPT_ALREADY : GIVEN_UP });
  }
  throw new Problem({ code: GIVEN_UP });
}

/** The person's passkeys, the newest first. @returns {Promise<Passkey[]>} */
export const passkeys = async () => (await ask("GET", "/me/passkeys", { token: token() })).passkeys;

/** Adds one that was made. @param {NewPasskey} made @param {Proof} proof @returns {Promise<Passkey>} */
export const addPasskey = (made, proof) => ask("POST", "/me/passkeys", { body: { ...made, ...proof }, token: token() });

/** @param {string} id @param {string} name */
export const renamePasskey = (id, name) => ask("PATCH", `/me/passkeys/${id}`, { body: { name }, token: token() });

/** @param {string} id @param {Proof} proof */
export const removePasskey = (id, proof) => ask("DELETE", `/me/passkeys/${id}`, { body: proof, token: token() });
