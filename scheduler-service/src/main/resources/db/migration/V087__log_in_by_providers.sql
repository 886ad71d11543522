-- Logins at an OpenID Connect provider that have begun. Each is finished once.
create table login_attempt (
    -- SHA-256 of the secret that only the browser has
    hash bytea primary key,
    -- SHA-256 of the parameter that comes back from the provider
    state_hash bytea not null,
    nonce text not null,
    code_verifier text not null,
    redirect_uri text not null,
    return_to text not null,
    expires_at timestamptz not null
);
create index login_attempt_expires on login_attempt (expires_at);

-- Programs that want a token of whoever approves it (RFC 8628).
create table device_authorization (
    -- SHA-256 of the secret by which the program polls
    device_hash bytea primary key,
    -- SHA-256 of the code that the user enters
    user_hash bytea not null unique,
    client_name text not null,
    address text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    interval_millis bigint not null,
    polled_at timestamptz,
    -- null while nobody has decided
    decision text check (decision in ('approved', 'denied')),
    -- the token of the user who has approved
    approved_with uuid,
    check ((approved_with is not null) = (decision is not distinct from 'approved'))
);
create index device_authorization_expires on device_authorization (expires_at);

-- Which JWTs of CI systems can be exchanged for tokens of a service account.
create table token_trust (
    workspace text not null,
    name text not null,
    service_account text not null,
    issuer text not null,
    audience text not null,
    -- the values that claims must have, by the names of the claims
    claims jsonb not null,
    created_by text not null,
    created_at timestamptz not null default now(),
    primary key (workspace, name)
);
create index token_trust_issuer on token_trust (issuer, workspace, name);
