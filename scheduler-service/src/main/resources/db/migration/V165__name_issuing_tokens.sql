-- The token by which a token was issued: its end takes along what was issued by it. Null if no token was shown, and for
-- tokens from before.
alter table credential add column issued_by uuid;
create index credential_issued on credential (issued_by) where issued_by is not null and ended_at is null;
