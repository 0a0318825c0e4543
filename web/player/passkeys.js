// Passkeys: the requests to the browser and to the server.

import { Problem, ask } from "../api/rest.js";
import { base64url, bytesOf } from "./base64url.js";
import { become, token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["Passkey"]} Passkey */
/** @typedef {import("../api/wire").components["schemas"]["PasskeyAnswer"]} PasskeyAnswer */
/** @typedef {import("../api/wire").components["schemas"]["PasskeyChallenge"]} PasskeyChallenge */
/** @typedef {import("../api/wire").components["schemas"]["PasskeyOwner"]} PasskeyOwner */
/** @typedef {import("./account.js").Proof} Proof */

/**
 * A new passkey.
 * @typedef {{name: string, challenge: string, client_data_json: string, attestation_object: string}} NewPasskey
 */

export const NAME_LONGEST = 40;

/** The code of a problem: the person has cancelled, or the browser failed. */
const GIVEN_UP = "passkey_given_up";

/** The code of a problem: this authenticator already has a passkey of the account. */
const KEPT_ALREADY = "passkey_kept_already";

/** Browsers allow passkeys only on domains and secure origins. */
const ADDRESS = /^\[|^\d+\.\d+\.\d+\.\d+$/;

/** Whether passkeys can be used on this page. */
export const canUsePasskeys = () =>
  "PublicKeyCredential" in globalThis && isSecureContext && !ADDRESS.test(location.hostname);

/** Whether the browser offers passkeys in the handle's field. */
export const canOfferPasskeys = async () =>
  canUsePasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** The passkey challenge for signing in. @returns {Promise<PasskeyChallenge>} @throws {Problem} */
export const signInChallenge = () => ask("POST", "/sign-in/passkey/challenge");

/**
 * The passkey challenge for the guest of this device. Without an account, creates a guest if there is none, and sends
 * the handle that the passkey is to show.
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
 * @param {{quietly?: boolean, signal?: AbortSignal}} [how] quietly: only as autofill of a field
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

/** Proves with a passkey that the person sends the request. @returns {Promise<Proof>} @throws {Problem} */
export async function passkeyProof() {
  return { passkey: await usePasskey(await ownChallenge()) };
}

/**
 * Creates a passkey on an authenticator. The server does not know it yet.
 * @param {string} name the person's name for it
 * @param {string} [handle] of the account that is opened with it
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

/** Runs a request of the browser for credentials. @param {Promise<Credential | null>} asked @returns {Promise<PublicKeyCredential>} */
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

/** Adds a new passkey to the account. @param {NewPasskey} made @param {Proof} proof @returns {Promise<Passkey>} */
export const addPasskey = (made, proof) => ask("POST", "/me/passkeys", { body: { ...made, ...proof }, token: token() });

/** @param {string} id @param {string} name */
export const renamePasskey = (id, name) => ask("PATCH", `/me/passkeys/${id}`, { body: { name }, token: token() });

/** @param {string} id @param {Proof} proof */
export const removePasskey = (id, proof) => ask("DELETE", `/me/passkeys/${id}`, { body: proof, token: token() });
