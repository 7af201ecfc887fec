/** The parts of an OpenAPI 3.1 document that this project writes and its pages read. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly examples: Readonly<Record<string, ExampleObject>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

export type Schema = Readonly<Record<string, unknown>>;

export interface Reference {
  readonly $ref: string;
}

export interface HeaderObject {
  readonly description: string;
  readonly schema: Schema;
}

export interface ExampleObject {
  readonly summary: string;
  readonly value: unknown;
}

export type SecurityScheme =
  | {
      readonly type: 'apiKey';
      readonly in: 'cookie';
      readonly name: string;
      readonly description: string;
    }
  | {
      readonly type: 'http';
      readonly scheme: 'bearer';
      readonly bearerFormat: string;
      readonly description: string;
    };

export interface MediaType {
  readonly schema: Schema | Reference;
  readonly examples?: Readonly<Record<string, ExampleObject | Reference>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly 'x-cookies'?: { readonly sets?: readonly string[]; readonly clears?: readonly string[] };
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  readonly 'x-cookies'?: { readonly needs?: readonly string[]; readonly reads?: readonly string[] };
  readonly 'x-rate-limit'?: RateLimitFacts;
}

export interface RateLimitFacts {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
  readonly countedBy: string;
  /** The limit that all counted callers share. */
  readonly ceiling?: { readonly requests: number; readonly countedBy: string };
  /** The limit for requests without a valid session, across all such operations. */
  readonly withoutSession?: { readonly requests: number; readonly countedBy: string };
}
