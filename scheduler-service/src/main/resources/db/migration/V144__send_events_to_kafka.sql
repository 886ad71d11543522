-- Alerts whose events go to a topic of Kafka, in order.
alter table alert drop constraint alert_channel_check;
alter table alert add constraint alert_channel_check check (channel in ('webhook', 'slack', 'email', 'kafka'));
alter table alert
    -- the resource that says how to reach the brokers
    add column connection text not null default '',
    add column topic text not null default '',
    -- whether the attributes of an event are headers, and only its data are the value
    add column binary_mode boolean not null default false,
    -- why its events cannot be sent now; empty if they can
    add column trouble text not null default '';
