/** The external sign-ins, as named in paths and credentials. */
export const providerIds = ['idp', 'google', 'github'] as const;

export type ProviderId = (typeof providerIds)[number];

/** Every kind of credential. All kinds are equal. */
export const credentialKinds = [...providerIds, 'email', 'passkey'] as const;

export type CredentialKind = (typeof credentialKinds)[number];
