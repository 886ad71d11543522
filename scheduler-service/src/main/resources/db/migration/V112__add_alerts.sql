-- Alerts: who is told of which events. A scheduler that holds an alert reads its events and sends its messages.
create table alert (
    workspace text not null,
    name text not null check (length(name) between 1 and 64),
    types text[] not null,
    folder text not null default '',
    path text not null default '',
    channel text not null check (channel in ('webhook', 'slack', 'email')),
    -- the address, or the secret that holds it
    url text not null default '',
    url_secret text not null default '',
    -- the secret with which messages to a webhook are signed; empty: they are not
    signing_secret text not null default '',
    recipients text[] not null default '{}',
    paused boolean not null default false,
    created_by text not null,
    changed_at timestamptz not null default now(),
    -- counts the changes, so that a message is sent as the alert stands
    version int not null default 1,
    -- where its events go on; null until it has begun
    position text,
    -- why events may be missing
    gap text not null default '',
    holder uuid,
    held_until timestamptz,
    primary key (workspace, name)
);

-- Messages of alerts: those that wait, and the history of the others.
create table alert_delivery (
    id uuid primary key default event_id(),
    workspace text not null,
    alert text not null,
    event_id uuid not null,
    event_type text not null,
    -- the CloudEvent
    event json not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
    attempts int not null default 0,
    -- when it is due; null if it has ended
    next_at timestamptz,
    last_status int,
    last_error text not null default '',
    created_at timestamptz not null default now(),
    -- since when it is tried: a replay begins anew
    tried_since timestamptz not null default now(),
    ended_at timestamptz,
    unique (workspace, alert, event_id),
    check ((state = 'pending') = (next_at is not null)),
    foreign key (workspace, alert) references alert (workspace, name) on delete cascade
);
create index alert_delivery_due on alert_delivery (workspace, alert, next_at) where state = 'pending';
create index alert_delivery_age on alert_delivery (created_at);
