-- The site from which a login was begun: an IPv4 address, or the first 48 bits of an IPv6 one. If too many have begun, the site
-- with the most loses its oldest. Empty for logins that began on schedulers that do not note it.
alter table login_attempt add column site text not null default '';
alter table device_authorization add column site text not null default '';
