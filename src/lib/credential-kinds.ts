/** The external sign-ins, as they stand in paths and in credentials. */
export const providerIds = ['idp', 'google', 'github'] as const;

/** Every kind of credential; all of them are equal. */
export const credentialKinds = [...providerIds, 'email', 'passkey'] as const;

export type CredentialKind = (typeof credentialKinds)[number];
