-- Path of each flow that runs as a part of this one, those inside others included -> hash of the version, fixed when it was deployed.
alter table flow add column subflows json not null default '{}';
